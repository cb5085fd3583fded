import type { RunInfo, ThreadDetail, ThreadInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { costText } from '../words/counts.ts'
import { durationWords } from '../words/duration.ts'
import { formatTitle } from '../words/formats.ts'
import { openQuestions, runningTool } from './asking.ts'
import { stateWords, type ThreadState, threadStateOf } from './thread-state.ts'
import { type Totals, totalsOf } from './totals.ts'

/** A thread as one row of the list. */
export interface ThreadSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly state: ThreadState
  /** The second line: what it is read from, then what it does or came to. */
  readonly facts: string
}

/** What a thread is called that has no title. */
export function titleOf(title: string, format: string | undefined): string {
  if (title !== '') return title
  return format === undefined ? 'Untitled thread' : `${formatTitle(format)} run`
}

/** What a row is made from. */
export type ThreadFacts = Pick<ThreadDetail, 'runs' | 'chatEvents'>

/** Of a thread whose runs are not known yet only its title and time can be said. */
export function summaryOf(thread: ThreadInfo, known: ThreadFacts | undefined): ThreadSummary {
  const { id, title, updatedAt = 0 } = thread
  if (known === undefined) return { id, title: titleOf(title, undefined), updatedAt, state: 'unknown', facts: '' }
  const { runs, chatEvents } = known
  const lastRun = runs.at(-1)
  const state = threadStateOf(lastRun, openQuestions(chatEvents).length > 0)
  return { id, title: titleOf(title, lastRun?.format), updatedAt, state, facts: factsOf(lastRun, state, chatEvents) }
}

function factsOf(run: RunInfo | undefined, state: ThreadState, chatEvents: readonly ChatEvent[]): string {
  if (run === undefined) return stateWords.empty
  const own = chatEvents.filter(({ runId }) => runId === run.id)
  const format = run.format === undefined ? [] : [formatTitle(run.format)]
  return [...format, ...activity[state](own, totalsOf(own), run)].join(' · ')
}

type Activity = (chatEvents: readonly ChatEvent[], totals: Totals, run: RunInfo) => readonly string[]

const activity: { readonly [State in ThreadState]: Activity } = {
  'needs-you': (chatEvents) => {
    const asked = openQuestions(chatEvents).at(-1)
    return [asked?.type === 'tool' ? `approve ${asked.name}` : 'waits for your answer']
  },
  'handed-over': () => ['awaits tool results'],
  live: (chatEvents) => [runningTool(chatEvents)?.name ?? 'running'],
  waiting: () => ['waits for its producer'],
  done: (_, { durationMs, costUsd }) => [
    ...(durationMs === undefined ? ['finished'] : [durationWords(durationMs)]),
    ...(costUsd === undefined ? [] : [costText(costUsd)]),
  ],
  failed: (_, __, run) => [`failed at #${run.seq}`],
  interrupted: (_, __, run) => [`interrupted at #${run.seq}`],
  stopped: () => ['stopped'],
  empty: () => [],
  unknown: () => [],
}
