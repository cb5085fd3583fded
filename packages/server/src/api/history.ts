import { ApiError, lineageOf } from '@millrace/core/api'
import type { JsonObject } from '@millrace/core/json'
import { createHistory, getWire, type History } from '@millrace/core/wire'
import { LogError } from '../log/errors.ts'
import type { Log, StoredRun } from '../log/log.ts'
import { messageIdIn, messageIdOf } from './chat/message-runs.ts'
import type { WireChoice } from './pauses.ts'

/** Which part of a conversation is loaded. */
export interface HistoryPage {
  /** The most runs at once. A message that began earlier is never cut. */
  readonly limit: number
  /** Only runs before this one. */
  readonly before?: string
  /** Whether what a live run has sent so far is loaded, too. Otherwise the client streams that message from its first chunk. */
  readonly hasLive?: boolean
}

export interface LoadedThread {
  /** The runs of the page with the entries that were read, oldest first. */
  readonly runs: readonly StoredRun[]
  readonly messages: readonly JsonObject[]
  /** The run that has not ended, of the current branch. */
  readonly live?: StoredRun
  /** What `before` is for the older messages; absent if there are none. */
  readonly next?: string
}

/** The run of the current branch that has not ended. A run of an abandoned branch may wait for ever, but is not part of it. */
export const liveIn = (runs: readonly StoredRun[]): StoredRun | undefined =>
  lineageOf(runs).findLast(({ state }) => state !== 'ended')

/**
 * The current branch of a thread in the words of a wire's client. Reads every entry of the page once and keeps only the
 * messages. Throws 400 if the wire has no messages to load.
 */
export async function loadThread(
  log: Log,
  threadId: string,
  { wire: name, profile }: WireChoice,
  { limit, before, hasLive = false }: HistoryPage,
): Promise<LoadedThread> {
  const wire = getWire(name)
  const history = createHistory(wire, { threadId, ...(profile !== undefined && { profile }) })
  if (history === undefined) {
    throw new ApiError(400, 'no-history', `Clients of ${name} load no messages: read a run from its first chunk.`)
  }
  const spansRuns = wire.spansRuns === true
  const branch = lineageOf(await log.runs(threadId))
  const live = branch.findLast(({ state }) => state !== 'ended')
  const streamed = hasLive || live === undefined ? undefined : spansRuns ? await messageIdOf(log, live) : live.id
  const page = await pageOf(log, branch, { limit, ...(before !== undefined && { before }) }, spansRuns)
  const runs: StoredRun[] = []
  for (const run of page.runs) {
    const seq = await readRun(log, run, history, spansRuns, streamed)
    if (seq !== undefined) runs.push({ ...run, seq })
  }
  const { next } = page
  return {
    runs,
    messages: history.messages(),
    ...(live !== undefined && { live }),
    ...(next !== undefined && { next }),
  }
}

/** Returns the last entry that was read; undefined if the run has been deleted meanwhile. */
async function readRun(
  log: Log,
  run: StoredRun,
  history: History,
  spansRuns: boolean,
  streamed: string | undefined,
): Promise<number | undefined> {
  let seq = 0
  try {
    for await (const entries of log.read(run.id, { after: 0, live: false })) {
      for (const entry of entries) {
        if (seq === 0) {
          const messageId = spansRuns ? messageIdIn(entry) : undefined
          const isStreamed = streamed !== undefined && (messageId ?? run.id) === streamed
          history.begin({ runId: run.id, ...(messageId !== undefined && { messageId }), isStreamed })
        }
        history.push(entry)
        seq = entry.seq
      }
    }
    return seq
  } catch (error) {
    if (error instanceof LogError && error.code === 'unknown-run') return undefined
    throw error
  }
}

/** The runs of a page of a branch; with `spansRuns` none that begins in the middle of a message. */
export async function pageOf(
  log: Log,
  branch: readonly StoredRun[],
  { limit, before }: Pick<HistoryPage, 'limit' | 'before'>,
  spansRuns: boolean,
): Promise<{ readonly runs: readonly StoredRun[]; readonly next?: string }> {
  const end = before === undefined ? branch.length : branch.findIndex(({ id }) => id === before)
  if (end === -1) throw new ApiError(400, 'bad-request', `There is no run "${before}" in the thread's current branch.`)
  let start = Math.max(0, end - Math.max(1, limit))
  while (spansRuns && start > 0 && start < end) {
    const first = branch[start] as StoredRun
    if ((await messageIdOf(log, first)) === first.id) break
    start--
  }
  const next = start > 0 ? branch[start]?.id : undefined
  return { runs: branch.slice(start, end), ...(next !== undefined && { next }) }
}
