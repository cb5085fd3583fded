import type { AgentInfo, LastRun, ListedThread, ThreadDetail } from '@millrace/core/client'
import { type RunTotals, runDurationOf, type Segment } from '@millrace/core/fold'
import { durationText } from '../durations.ts'
import { formatTitle } from '../format-titles.ts'
import type { Labels } from '../labels.ts'
import { openQuestions, runningTool } from './thread-activity.ts'
import { type ThreadStatus, threadStatusOf } from './thread-status.ts'

/** A thread as one row of the list. */
export interface ThreadSummary {
  readonly id: string
  /** Empty if it has none. */
  readonly title: string
  readonly updatedAt: number
  readonly state: ThreadStatus
  readonly source: Source
  /** Its last run; absent while it has none. */
  readonly run?: RunSummary
}

/** What a row says about a run. */
export interface RunSummary extends Pick<LastRun, 'seq' | 'asks'> {
  readonly durationMs?: number
  /** The tool that is running, or that the user is asked about. */
  readonly tool?: string
}

/** Where a run comes from. A run of another program's stream has no agent. */
export type Source = Pick<LastRun, 'agent' | 'format'>

/** What a person calls it: the agent that was picked, or else the format of the stream. */
export function sourceTitle({ agent, format }: Source, agents: readonly AgentInfo[]): string | undefined {
  const title = agents.find(({ name }) => name === agent)?.title
  return title ?? (format === undefined ? undefined : formatTitle(format))
}

/** The second line of a row. */
export function factsText({ source, state, run }: ThreadSummary, agents: readonly AgentInfo[], labels: Labels): string {
  const fact = run === undefined ? labels.threadStatus.empty : facts[state](run, labels)
  return [sourceTitle(source, agents), fact].filter((text) => text !== undefined).join(' · ')
}

/** The title of a thread, or a default one. */
export function titleOf(title: string, format: string | undefined, labels: Labels): string {
  if (title !== '') return title
  return format === undefined ? labels.untitled : labels.runOf(formatTitle(format))
}

/** What this page knows about a thread that is open on it. */
export interface ThreadFacts extends Pick<ThreadDetail, 'runs' | 'chatEvents'> {
  /** The page is disconnected from the run: the list may be newer. */
  readonly isCut?: boolean
}

/** A run, from the list or from the page. */
type RunFacts = RunSummary & Pick<LastRun, 'id' | 'state' | 'outcome' | 'format' | 'agent'>

export function summaryOf({ id, title, updatedAt = 0, lastRun }: ListedThread, pageFacts?: ThreadFacts): ThreadSummary {
  const isAhead = pageFacts !== undefined && isAheadOf(pageFacts, lastRun)
  const runFacts = isAhead ? factsFromPage(pageFacts) : lastRun && factsFromList(lastRun)
  const state = threadStatusOf(runFacts, runFacts?.asks ?? false)
  const { agent, format } = runFacts ?? {}
  const source = { ...(agent !== undefined && { agent }), ...(format !== undefined && { format }) }
  return { id, title, updatedAt, state, source, ...(runFacts !== undefined && { run: runFacts }) }
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
  return agent === undefined
    ? run
    : { ...run, ...durationIn({ startedAt: createdAt, ...(endedAt !== undefined && { endedAt }) }) }
}

function factsFromPage({ runs, chatEvents }: ThreadFacts): RunFacts | undefined {
  const run = runs.at(-1)
  if (run === undefined) return undefined
  const ownEvents = chatEvents.filter(({ runId }) => runId === run.id)
  const questions = openQuestions(ownEvents)
  return {
    ...run,
    asks: questions.length > 0,
    ...durationIn(run),
    ...toolOf(questions.at(-1) ?? runningTool(ownEvents)),
  }
}

const toolOf = (segment: Segment | undefined) => (segment?.type === 'tool' ? { tool: segment.name } : {})

type Fact = (run: RunSummary, labels: Labels) => string

const facts: { readonly [State in ThreadStatus]: Fact } = {
  'needs-you': ({ tool }, labels) => (tool === undefined ? labels.asksYou : labels.asksAbout(tool)),
  'handed-over': ({ asks }, labels) => (asks ? labels.asksClient : labels.waitsForResults),
  'left-open': ({ asks }, labels) => (asks ? labels.endsAsking : labels.endsCalling),
  live: ({ tool }, { running }) => tool ?? running,
  waiting: (_, labels) => labels.waitsForProducer,
  done: ({ durationMs }, labels) => (durationMs === undefined ? labels.finished : durationText(durationMs, labels)),
  failed: ({ seq }, labels) => labels.failedAt(String(seq)),
  interrupted: ({ seq }, labels) => labels.interruptedAt(String(seq)),
  stopped: (_, { stoppedByYou }) => stoppedByYou,
  cancelled: (_, { stopped }) => stopped,
  empty: (_, { threadStatus }) => threadStatus.empty,
}

function durationIn(run: RunTotals): { readonly durationMs?: number } {
  const durationMs = runDurationOf(run)
  return durationMs === undefined ? {} : { durationMs }
}
