import type { AgentInfo, LastRun, ListedThread, ThreadDetail } from '@millrace/core/client'
import type { Segment } from '@millrace/core/fold'
import { formatTitle } from '../words/formats.ts'
import { durationText } from '../words/numbers.ts'
import { openQuestions, runningTool } from './thread-activity.ts'
import { statusTexts, type ThreadStatus, threadStatusOf } from './thread-status.ts'
import { durationOf } from './totals.ts'

/** A thread as one row of the list. */
export interface ThreadSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly state: ThreadStatus
  /** Of its last run: what it does, or its result. */
  readonly facts: string
  readonly source: Source
}

/** Where a run comes from. A run of another program's stream has no agent. */
export type Source = Pick<LastRun, 'agent' | 'format'>

/** What a person calls it: the agent that was picked, or else the format of the stream. */
export function sourceTitle({ agent, format }: Source, agents: readonly AgentInfo[]): string | undefined {
  const title = agents.find(({ name }) => name === agent)?.title
  return title ?? (format === undefined ? undefined : formatTitle(format))
}

/** The second line of a row. */
export function factsText({ source, facts }: ThreadSummary, agents: readonly AgentInfo[]): string {
  return [sourceTitle(source, agents), facts].filter((text) => text !== undefined).join(' · ')
}

/** The title of a thread, or a default one. */
export function titleOf(title: string, format: string | undefined): string {
  if (title !== '') return title
  return format === undefined ? 'Untitled thread' : `${formatTitle(format)} run`
}

/** What this page knows about a thread that is open on it. */
export interface ThreadFacts extends Pick<ThreadDetail, 'runs' | 'chatEvents'> {
  /** The page is disconnected from the run: the list may be newer. */
  readonly isCut?: boolean
}

/** The state of a thread, from the list or from the page. */
interface RunFacts extends Pick<LastRun, 'id' | 'state' | 'outcome' | 'format' | 'agent' | 'seq' | 'asks'> {
  readonly durationMs: number | undefined
  /** The tool that is running, or that the user is asked about. */
  readonly tool?: string
}

export function summaryOf({ id, title, updatedAt = 0, lastRun }: ListedThread, pageFacts?: ThreadFacts): ThreadSummary {
  const isAhead = pageFacts !== undefined && isAheadOf(pageFacts, lastRun)
  const runFacts = isAhead ? factsFromPage(pageFacts) : lastRun && factsFromList(lastRun)
  const state = threadStatusOf(runFacts, runFacts?.asks ?? false)
  const { agent, format } = runFacts ?? {}
  const source = { ...(agent !== undefined && { agent }), ...(format !== undefined && { format }) }
  return { id, title: titleOf(title, format), updatedAt, state, source, facts: factsOf(runFacts, state) }
}

/**
 * The page is ahead of the list while it streams the run, until the list has the end of the same run or a run that the
 * page does not have.
 */
function isAheadOf({ runs, isCut = false }: ThreadFacts, lastRun: LastRun | undefined): boolean {
  if (lastRun === undefined) return true
  if (isCut) return false
  const isOver = lastRun.state === 'ended' && lastRun.id === runs.at(-1)?.id
  return !isOver && runs.some(({ id }) => id === lastRun.id)
}

/** The list has the clock of the log, which is the run's own only if the server ran the agent, not for a recording. */
function factsFromList(run: LastRun): RunFacts {
  const { agent, createdAt, endedAt } = run
  const isOwn = agent !== undefined && endedAt !== undefined
  return { ...run, durationMs: isOwn ? durationOf({ startedAt: createdAt, endedAt }) : undefined }
}

function factsFromPage({ runs, chatEvents }: ThreadFacts): RunFacts | undefined {
  const run = runs.at(-1)
  if (run === undefined) return undefined
  const ownEvents = chatEvents.filter(({ runId }) => runId === run.id)
  const questions = openQuestions(ownEvents)
  return {
    ...run,
    asks: questions.length > 0,
    durationMs: durationOf(run),
    ...toolOf(questions.at(-1) ?? runningTool(ownEvents)),
  }
}

const toolOf = (segment: Segment | undefined) => (segment?.type === 'tool' ? { tool: segment.name } : {})

function factsOf(runFacts: RunFacts | undefined, state: ThreadStatus): string {
  if (runFacts === undefined) return statusTexts.empty
  return activity[state](runFacts)
}

const activity: { readonly [State in ThreadStatus]: (runFacts: RunFacts) => string } = {
  'needs-you': ({ tool }) => (tool === undefined ? 'waiting for your answer' : `approve ${tool}`),
  'handed-over': ({ asks }) => (asks ? 'waiting for an answer from its client' : 'waiting for tool results'),
  live: ({ tool }) => tool ?? 'running',
  waiting: () => 'waiting for its producer',
  done: ({ durationMs }) => (durationMs === undefined ? 'finished' : durationText(durationMs)),
  failed: ({ seq }) => `failed at #${seq}`,
  interrupted: ({ seq }) => `interrupted at #${seq}`,
  stopped: () => 'stopped',
  empty: () => statusTexts.empty,
}
