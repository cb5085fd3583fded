import type { RunInfo, RunStoreSnapshot, ThreadState } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { type ReactNode, useRef } from 'react'
import type { Labels } from '../labels.ts'
import { numberText } from '../numbers.ts'
import { runningTool } from '../threads/thread-activity.ts'
import type { ThreadStatus } from '../threads/thread-status.ts'
import { useNow } from '../times.ts'
import { useContextWith, useViewContext, ViewContextProvider, type ViewSettings } from '../view-context.ts'
import { isCutOff, type Liveness, livenessOf, type Tone } from './liveness.ts'

export interface StatusLineProps extends Pick<ViewSettings, 'labels'> {
  readonly state: ThreadStatus
  /** The state of the thread's store. */
  readonly phase: ThreadState
  /** The thread's newest run. */
  readonly run: RunInfo | undefined
  /** The same run, if it is or was streamed here. */
  readonly newest: RunStoreSnapshot | undefined
  readonly events: readonly ChatEvent[]
  /** Why the thread could not be read. */
  readonly error?: unknown
  /** What stands at the right end. */
  readonly end?: ReactNode
}

const SECOND = 1_000

/** Liveness, durability and position of a thread's newest run, in words. */
export function StatusLine(props: StatusLineProps) {
  const context = useContextWith(props)
  const { labels } = context
  const { run, newest, end } = props
  const { text, tone } = useLiveness(props, labels)
  const here = newest?.seq ?? run?.seq ?? 0
  const durable = isCutOff(newest?.connection) ? undefined : Math.max(run?.seq ?? 0, here)
  return (
    <ViewContextProvider value={context}>
      <PlainStatusLine text={text} tone={tone} end={end}>
        {here > 0 && <Durability durable={durable} here={here} />}
      </PlainStatusLine>
    </ViewContextProvider>
  )
}

interface DurabilityProps {
  /** The last entry that is known to be stored; undefined if the log does not answer. */
  readonly durable: number | undefined
  readonly here: number
}

function Durability({ durable, here }: DurabilityProps) {
  const { labels } = useViewContext()
  const numberOf = (seq: number) => labels.entryNumber(numberText(seq, labels))
  return (
    <>
      <span className="mr-fact mr-wide">
        {durable === undefined ? labels.logUnreachable : labels.durableTo}
        {durable !== undefined && <code>{numberOf(durable)}</code>}
      </span>
      <span className="mr-fact mr-wide">
        {labels.youAreAt} <code>{numberOf(here)}</code>
      </span>
      <span className="mr-fact mr-short">
        <code>
          {numberOf(here)}/{durable === undefined ? '?' : numberText(durable, labels)}
        </code>
      </span>
    </>
  )
}

export interface PlainStatusLineProps {
  readonly text: string
  readonly tone: Tone
  /** More facts. */
  readonly children?: ReactNode
  readonly end?: ReactNode
}

/** One line with a state in words. */
export function PlainStatusLine({ text, tone, children, end }: PlainStatusLineProps) {
  return (
    <footer className="millrace mr-status">
      <span className={`mr-fact mr-tone-${tone}`}>
        <span className="mr-dot" aria-hidden="true" />
        {text}
      </span>
      {children}
      <span className="mr-status-end">{end}</span>
    </footer>
  )
}

function useLiveness({ state, phase, run, newest, events, error }: StatusLineProps, labels: Labels): Liveness {
  const now = useNow(SECOND)
  const lastEntry = useRef({ seq: newest?.seq, at: now })
  if (lastEntry.current.seq !== newest?.seq) lastEntry.current = { seq: newest?.seq, at: now }
  if (phase === 'sending') return { text: labels.sending, tone: 'quiet' }
  if (phase === 'loading' || phase === 'idle') return { text: labels.readingLog, tone: 'quiet' }
  if (error !== undefined) return { text: labels.serverSilent, tone: 'bad' }
  const facts = {
    state,
    connection: newest?.connection,
    retryInMs: (newest?.retryAt ?? now) - now,
    silentMs: now - lastEntry.current.at,
    waitMs: run?.waitUntil === undefined ? undefined : run.waitUntil - now,
    isToolRunning: runningTool(events) !== undefined,
    endedAt: run?.endedAt ?? 0,
    now,
  }
  return livenessOf(facts, labels)
}
