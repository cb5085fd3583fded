import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useSyncExternalStore } from 'react'
import { type ApprovalAnswer, ThreadView } from '../src/index.ts'

/** What the host does with an answer: `held` ones are taken or refused later, by `settle`. */
type Reply = 'taken' | 'refused' | 'thrown' | 'held'

/** How a test drives the renderer from outside the page. */
export interface Stage {
  show(events: readonly ChatEvent[], options?: Partial<Options>): void
  readonly answers: (readonly [approvalId: string, answer: ApprovalAnswer])[]
  /** The replies to the next answers, in order; without one, an answer is taken. */
  readonly replies: Reply[]
  /** Refuses the oldest answer that is held. */
  refuseHeld(): void
  /** Resolves once what was shown is drawn, also while the page's clock stands still. */
  drawn(): Promise<unknown>
  /** The ids of the chat events that the user continued. */
  readonly continued: string[]
}

interface Options {
  readonly hidesThoughts: boolean
  readonly isLoaded: boolean
  /** All runs have ended. */
  readonly isOver: boolean
  /** False: nothing is mounted. */
  readonly isMounted: boolean
  /** False: the host continues no run, as while another is live. */
  readonly canContinue: boolean
}

interface Shown extends Options {
  readonly events: readonly ChatEvent[]
}

const usual: Options = { hidesThoughts: false, isLoaded: true, isOver: false, isMounted: true, canContinue: true }
let shown: Shown = { ...usual, events: [] }
const listeners = new Set<() => void>()
const held: (() => void)[] = []

const stage: Stage = {
  show(events, options = {}) {
    shown = { ...usual, ...options, events }
    for (const listener of listeners) listener()
  },
  answers: [],
  replies: [],
  refuseHeld: () => held.shift()?.(),
  drawn: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage('drawn')
    }),
  continued: [],
}
Object.assign(globalThis, { stage })

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const host: { readonly [Each in Reply]: () => unknown } = {
  taken: () => undefined,
  refused: () => Promise.reject(new Error('refused')),
  thrown: () => {
    throw new Error('thrown')
  },
  held: () => new Promise((_, reject) => held.push(() => reject(new Error('refused')))),
}

function onAnswer(approvalId: string, answer: ApprovalAnswer): unknown {
  stage.answers.push([approvalId, answer])
  return host[stage.replies.shift() ?? 'taken']()
}

const onContinue = ({ id }: ChatEvent) => void stage.continued.push(id)

export function Play() {
  const { events, hidesThoughts, isLoaded, isOver, isMounted, canContinue } = useSyncExternalStore(
    subscribe,
    () => shown,
  )
  const endedRuns = new Set(isOver ? events.map(({ runId }) => runId) : [])
  return (
    <main className="page">
      {isMounted && (
        <ThreadView
          events={events}
          isLoaded={isLoaded}
          endedRuns={endedRuns}
          hidesThoughts={hidesThoughts}
          onAnswer={onAnswer}
          {...(canContinue && { onContinue })}
        />
      )}
    </main>
  )
}
