import { mainRuns } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import type { Log, StoredRun } from '../log/log.ts'
import type { BroughtMessage } from '../run/brought-messages.ts'
import { chatEventsOf } from '../run/history.ts'
import type { Services } from './services.ts'

/** A message that a client holds. */
export interface SentMessage extends Pick<BroughtMessage, 'clientId' | 'role'> {
  /** The runs that its ids name, if they are ids of runs. */
  readonly runIds: readonly string[]
  readonly text: string
  /** Its content. The files that come with it are stored, so it is asked for only if the log does not have the message. */
  parts(): Promise<BroughtMessage['parts']>
}

/** Where the next run goes: after the last run that the client's messages show. */
export interface Branch {
  readonly afterRunId?: string
  /** The messages behind that run which the log does not have. */
  readonly unknown: readonly SentMessage[]
}

/**
 * The branch of a thread that a client shows, by its messages without the new one. A message of the agent is recognised by
 * the ids that we gave it, a person's by the client's own id, which the log has. Whatever a client says about runs of
 * another thread names no run of this one.
 */
export async function branchOf(log: Log, threadId: string, messages: readonly SentMessage[]): Promise<Branch> {
  const runs = mainRuns(await log.runs(threadId))
  const byId = new Map(runs.map((run) => [run.id, run]))
  const named = messages.findLastIndex(({ runIds }) => runIds.some((id) => byId.has(id)))
  const last = messages[named]?.runIds.findLast((id) => byId.has(id))
  const rest = messages.slice(named + 1)
  if (rest.length === 0) return last === undefined ? { unknown: [] } : { afterRunId: last, unknown: [] }
  const runOf = await runsByClientId(log, runs, rest)
  const recognised = rest.findLastIndex(({ clientId }) => runOf.has(clientId ?? ''))
  const afterRunId = runOf.get(rest[recognised]?.clientId ?? '')?.id ?? last
  if (afterRunId === undefined) return { unknown: rest }
  return { afterRunId, unknown: await notIn(log, afterRunId, rest.slice(recognised + 1)) }
}

/** Logs the messages that the log does not have, a run for each turn. Resolves with the run that the next one continues. */
export async function runBeforeNext(
  { log, runs }: Services,
  threadId: string,
  sent: readonly SentMessage[],
): Promise<string | undefined> {
  const { afterRunId, unknown } = await branchOf(log, threadId, sent)
  if (unknown.length === 0) return afterRunId
  let last = afterRunId
  for (const exchange of exchangesOf(unknown)) {
    const messages: BroughtMessage[] = []
    for (const { clientId, role, parts } of exchange) {
      messages.push({ ...(clientId !== undefined && { clientId }), role, parts: await parts() })
    }
    last = (await runs.importHistory({ threadId, messages, ...(last && { afterRunId: last }) })).id
  }
  return last
}

/** A run is what a person says and the answer to it, so that a client that loads it gets one message for each. */
function exchangesOf(messages: readonly SentMessage[]): readonly (readonly SentMessage[])[] {
  const exchanges: SentMessage[][] = []
  for (const [at, message] of messages.entries()) {
    const isNext = message.role === 'user' && messages[at - 1]?.role === 'assistant'
    if (at === 0 || isNext) exchanges.push([])
    exchanges.at(-1)?.push(message)
  }
  return exchanges
}

/** The newest run with each of the messages, by the client's id. */
async function runsByClientId(
  log: Log,
  runs: readonly StoredRun[],
  messages: readonly SentMessage[],
): Promise<ReadonlyMap<string, StoredRun>> {
  const wanted = new Set(messages.flatMap(({ clientId }) => clientId ?? []))
  const found = new Map<string, StoredRun>()
  for (const run of runs.toReversed()) {
    if (found.size === wanted.size) break
    for (const id of await clientIdsIn(log, run)) if (wanted.has(id) && !found.has(id)) found.set(id, run)
  }
  return found
}

/** The client's ids of a run's messages. Of an agent's run only what precedes the answer is read. */
export async function clientIdsIn(log: Log, run: StoredRun): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const entries of log.read(run.id, { after: 0, live: false })) {
    for (const { event, by } of entries) {
      if (run.agent !== undefined && by === undefined) return ids
      ids.push(...clientIdOf(event))
    }
  }
  return ids
}

function clientIdOf({ type, meta }: StreamEvent): readonly string[] {
  const id = type === 'message-start' ? meta?.millrace?.clientId : undefined
  return typeof id === 'string' ? [id] : []
}

/**
 * The messages without those that repeat the run's own answer: some clients give the answer an id of their own, and hold it
 * directly behind its question.
 */
async function notIn(log: Log, runId: string, messages: readonly SentMessage[]): Promise<readonly SentMessage[]> {
  const answers = messages.findIndex(({ role }) => role === 'user')
  const leading = answers === -1 ? messages : messages.slice(0, answers)
  if (leading.length === 0) return messages
  const segments = (await chatEventsOf(log, runId)).flatMap((chatEvent) => chatEvent.segments)
  const texts = segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('\n')
  return messages.filter((message) => !leading.includes(message) || !texts.includes(message.text))
}
