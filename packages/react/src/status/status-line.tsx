import type { RunInfo, RunStoreSnapshot, ThreadState } from '@millrace/core/client'
import { type ChatEvent, runDurationOf } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import type { Labels } from '../labels.ts'
import { numberText } from '../numbers.ts'
import { openQuestions, runningTool } from '../threads/thread-activity.ts'
import type { ThreadStatus } from '../threads/thread-status.ts'
import { useNow } from '../times.ts'
import { useContextWith, useViewContext, ViewContextProvider, type ViewSettings } from '../view-context.ts'
import { isCutOff, type Liveness, type LivenessAction, livenessOf, type Tone } from './liveness.ts'
import { useSilence } from './use-silence.ts'

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
  /** What can be done from the line itself. Without a function, its button is not drawn. */
  readonly actions?: { readonly [Action in LivenessAction]?: (() => void) | undefined }
  /** What stands at the right end. */
  readonly end?: ReactNode
}

const SECOND = 1_000

/** Liveness, durability and position of a thread's newest run, in words. */
export function StatusLine(props: StatusLineProps) {
  const context = useContextWith(props)
  const { labels } = context
  const { run, newest, actions, end } = props
  const { text, tone, facts = [], action } = useLiveness(props, labels)
  const act = action && actions?.[action]
  const here = newest?.seq ?? run?.seq ?? 0
  const durable = isCutOff(newest?.connection) ? undefined : Math.max(run?.seq ?? 0, here)
  return (
    <ViewContextProvider value={context}>
      <PlainStatusLine text={text} tone={tone} end={end}>
        {facts.map((fact, index) => (
          <span key={fact} className={index === 0 ? 'mr-fact' : 'mr-fact mr-wide'}>
            {fact}
          </span>
        ))}
        {here > 0 && <Durability durable={durable} here={here} isShort={tone === 'quiet'} />}
        {action !== undefined && act !== undefined && (
          <span className="mr-fact">
            <button type="button" className="mr-status-action" onClick={act}>
              {action === 'stop' ? labels.stop : labels.continueRun}
            </button>
          </span>
        )}
      </PlainStatusLine>
    </ViewContextProvider>
  )
}

interface DurabilityProps {
  /** The last entry that is known to be stored; undefined if the log does not answer. */
  readonly durable: number | undefined
  readonly here: number
  /** Only where there is no room for more: what has ended says how many entries it has. */
  readonly isShort: boolean
}

function Durability({ durable, here, isShort }: DurabilityProps) {
  const { labels } = useViewContext()
  const numberOf = (seq: number) => labels.entryNumber(numberText(seq, labels))
  return (
    <>
      {!isShort && (
        <>
          <span className="mr-fact mr-wide">
            {durable === undefined ? labels.logUnreachable : labels.durableTo}
            {durable !== undefined && <code>{numberOf(durable)}</code>}
          </span>
          <span className="mr-fact mr-wide">
            {labels.youAreAt} <code>{numberOf(here)}</code>
          </span>
        </>
      )}
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
  const silence = useSilence(newest?.seq, now)
  if (phase === 'sending') return { text: labels.sending, tone: 'quiet' }
  if (phase === 'loading' || phase === 'idle') return { text: labels.readingLog, tone: 'quiet' }
  if (error !== undefined) return { text: labels.serverSilent, tone: 'bad' }
  const questions = openQuestions(events)
  const tool = runningTool(events)
  const since = (at: number | undefined) => (at === undefined || at === 0 ? 0 : Math.max(0, now - at))
  const facts = {
    state,
    connection: newest?.connection,
    retryInMs: (newest?.retryAt ?? now) - now,
    ...silence,
    waitMs: run?.waitUntil === undefined ? undefined : run.waitUntil - now,
    toolMs: tool === undefined ? undefined : since(tool.startedAt),
    questions: questions.length,
    askedMs: since(questions[0]?.startedAt),
    endedAt: run?.endedAt ?? 0,
    durationMs: run && runDurationOf(run),
    seq: newest?.seq ?? run?.seq ?? 0,
    now,
  }
  return livenessOf(facts, labels)
}
