import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useSyncExternalStore } from 'react'
import { type ApprovalAnswer, type Components, type SegmentProps, ThreadView } from '../src/index.ts'

/** What the host does with an answer: `held` ones are taken or refused later, by `settle`. */
type Reply = 'taken' | 'refused' | 'thrown' | 'held'

/** How a test drives the renderer from outside the page. */
export interface Stage {
  show(events: readonly ChatEvent[], options?: Partial<Options>): void
  /** Replaces the text of one chat event; the others stay the same objects. */
  grow(id: string, text: string): void
  readonly answers: (readonly [approvalId: string, answer: ApprovalAnswer])[]
  /** The replies to the next answers, in order; without one, an answer is taken. */
  readonly replies: Reply[]
  /** Refuses the oldest answer that is held. */
  refuseHeld(): void
  /** Resolves once what was shown is drawn, also while the page's clock stands still. */
  drawn(): Promise<unknown>
  /** The ids of the chat events that the user continued. */
  readonly continued: string[]
  /** The texts that the host's own component drew, each time that it did. */
  readonly drawnTexts: string[]
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
  /** The host has components of its own. */
  readonly hasComponents: boolean
  /** The host passes on all of an answer. */
  readonly hasAnswerOptions: boolean
}

interface Shown extends Options {
  readonly events: readonly ChatEvent[]
}

const usual: Options = {
  hidesThoughts: false,
  isLoaded: true,
  isOver: false,
  isMounted: true,
  canContinue: true,
  hasComponents: false,
  hasAnswerOptions: false,
}
let shown: Shown = { ...usual, events: [] }
const listeners = new Set<() => void>()
const held: (() => void)[] = []

const stage: Stage = {
  show(events, options = {}) {
    shown = { ...usual, ...options, events }
    for (const listener of listeners) listener()
  },
  grow(id, text) {
    const grown = (event: ChatEvent): ChatEvent => ({
      ...event,
      segments: event.segments.map((segment) => (segment.type === 'text' ? { ...segment, text } : segment)),
    })
    shown = { ...shown, events: shown.events.map((event) => (event.id === id ? grown(event) : event)) }
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
  drawnTexts: [],
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

const ANSWER_OPTIONS = { canSay: true, canEdit: true, canRemember: true } as const
const onContinue = ({ id }: ChatEvent) => void stage.continued.push(id)

function BrokenTool(): never {
  throw new Error('The host has a mistake.')
}

function NotedText({ segment, fallback }: SegmentProps<'text'>) {
  stage.drawnTexts.push(segment.text)
  if (segment.text === 'throw') throw new Error('The host has another mistake.')
  return <section className="noted">{fallback}</section>
}

export function Play() {
  const { events, hidesThoughts, isLoaded, isOver, isMounted, canContinue, hasComponents, hasAnswerOptions } =
    useSyncExternalStore(subscribe, () => shown)
  const endedRuns = new Set(isOver ? events.map(({ runId }) => runId) : [])
  // Written anew each time, as many hosts do.
  const components: Components = hasComponents ? { tool: { broken: BrokenTool }, segment: { text: NotedText } } : {}
  return (
    <main className="page">
      {isMounted && (
        <ThreadView
          events={events}
          isLoaded={isLoaded}
          endedRuns={endedRuns}
          hidesThoughts={hidesThoughts}
          onAnswer={onAnswer}
          components={components}
          {...(canContinue && { onContinue })}
          {...(hasAnswerOptions && { answerOptions: ANSWER_OPTIONS })}
        />
      )}
    </main>
  )
}
