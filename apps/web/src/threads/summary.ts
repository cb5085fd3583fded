import type { LastRun, ListedThread, ThreadDetail } from '@millrace/core/client'
import type { Segment } from '@millrace/core/fold/shapes'
import { durationWords } from '../words/duration.ts'
import { formatTitle } from '../words/formats.ts'
import { openQuestions, runningTool } from './asking.ts'
import { stateWords, type ThreadState, threadStateOf } from './thread-state.ts'
import { durationOf } from './totals.ts'

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

/** What this page knows of a thread that is open on it. */
export interface ThreadFacts extends Pick<ThreadDetail, 'runs' | 'chatEvents'> {
  /** The page is cut off from the run: the list may know better. */
  readonly isCut?: boolean
}

/** How a thread stands, from the list or from the page. */
interface Standing extends Pick<LastRun, 'id' | 'state' | 'outcome' | 'format' | 'seq' | 'asks'> {
  readonly durationMs: number | undefined
  /** The tool that runs now, or that a person is asked about. */
  readonly tool?: string
}

export function summaryOf({ id, title, updatedAt = 0, lastRun }: ListedThread, known?: ThreadFacts): ThreadSummary {
  const isAhead = known !== undefined && isAheadOf(known, lastRun)
  const standing = isAhead ? ownStanding(known) : lastRun && listedStanding(lastRun)
  const state = threadStateOf(standing, standing?.asks ?? false)
  return { id, title: titleOf(title, standing?.format), updatedAt, state, facts: factsOf(standing, state) }
}

/**
 * The page is ahead of the list while it streams the run, until the list has the end of the same run or a run that the page
 * has not heard of.
 */
function isAheadOf({ runs, isCut = false }: ThreadFacts, lastRun: LastRun | undefined): boolean {
  if (lastRun === undefined) return true
  if (isCut) return false
  const isOver = lastRun.state === 'ended' && lastRun.id === runs.at(-1)?.id
  return !isOver && runs.some(({ id }) => id === lastRun.id)
}

/** The list has the clock of the log, which is the run's own only if the server ran the agent: a recording is read in no time. */
function listedStanding(run: LastRun): Standing {
  const { agent, createdAt, endedAt } = run
  const isOwn = agent !== undefined && endedAt !== undefined
  return { ...run, durationMs: isOwn ? durationOf({ startedAt: createdAt, endedAt }) : undefined }
}

function ownStanding({ runs, chatEvents }: ThreadFacts): Standing | undefined {
  const run = runs.at(-1)
  if (run === undefined) return undefined
  const own = chatEvents.filter(({ runId }) => runId === run.id)
  const questions = openQuestions(own)
  return {
    ...run,
    asks: questions.length > 0,
    durationMs: durationOf(run),
    ...toolOf(questions.at(-1) ?? runningTool(own)),
  }
}

const toolOf = (segment: Segment | undefined) => (segment?.type === 'tool' ? { tool: segment.name } : {})

function factsOf(standing: Standing | undefined, state: ThreadState): string {
  if (standing === undefined) return stateWords.empty
  const format = standing.format === undefined ? [] : [formatTitle(standing.format)]
  return [...format, activity[state](standing)].join(' · ')
}

const activity: { readonly [State in ThreadState]: (standing: Standing) => string } = {
  'needs-you': ({ tool }) => (tool === undefined ? 'waits for your answer' : `approve ${tool}`),
  'handed-over': ({ asks }) => (asks ? 'awaits an answer from its client' : 'awaits tool results'),
  live: ({ tool }) => tool ?? 'running',
  waiting: () => 'waits for its producer',
  done: ({ durationMs }) => (durationMs === undefined ? 'finished' : durationWords(durationMs)),
  failed: ({ seq }) => `failed at #${seq}`,
  interrupted: ({ seq }) => `interrupted at #${seq}`,
  stopped: () => 'stopped',
  empty: () => stateWords.empty,
}
