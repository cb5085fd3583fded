import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useSyncExternalStore } from 'react'
import { type ApprovalAnswer, ThreadView } from '../src/index.ts'

/** How a test drives the renderer from outside the page. */
export interface Stage {
  show(events: readonly ChatEvent[], options?: Partial<Options>): void
  readonly answers: (readonly [approvalId: string, answer: ApprovalAnswer])[]
}

interface Options {
  readonly hidesThoughts: boolean
  readonly isLoaded: boolean
}

interface Shown extends Options {
  readonly events: readonly ChatEvent[]
}

let shown: Shown = { events: [], hidesThoughts: false, isLoaded: true }
const listeners = new Set<() => void>()
const answers: [string, ApprovalAnswer][] = []

const stage: Stage = {
  show(events, { hidesThoughts = false, isLoaded = true } = {}) {
    shown = { events, hidesThoughts, isLoaded }
    for (const listener of listeners) listener()
  },
  answers,
}
Object.assign(globalThis, { stage })

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const onAnswer = (approvalId: string, answer: ApprovalAnswer) => answers.push([approvalId, answer])

export function Play() {
  const { events, hidesThoughts, isLoaded } = useSyncExternalStore(subscribe, () => shown)
  return (
    <main className="page">
      <ThreadView events={events} isLoaded={isLoaded} hidesThoughts={hidesThoughts} onAnswer={onAnswer} />
    </main>
  )
}
