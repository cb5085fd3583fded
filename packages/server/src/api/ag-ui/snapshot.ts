import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { type Chunk, getWire, sseFrame } from '@millrace/core/wire'
import { readChunks } from '../../deliver/chunks.ts'
import { sseHeaders } from '../../deliver/sse.ts'
import type { Log, StoredRun } from '../../log/log.ts'
import { liveIn, loadThread } from '../history.ts'
import type { WireChoice } from '../pauses.ts'
import type { Context } from '../services.ts'
import type { RunRequest } from './request.ts'

/** The most runs that are loaded at once. */
const MOST_RUNS = 200

/**
 * A thread in one run of the protocol: all messages, and the questions that are open. A run that is under way is left out,
 * because the client reads it from its first chunk by the run's id; one that waits for an answer is included. What only some
 * versions of the client know is not said: version and success are what they assume.
 */
export async function snapshotResponse(
  context: Context,
  log: Log,
  { threadId, runId }: RunRequest,
  choice: WireChoice,
): Promise<Response> {
  const live = liveIn(await log.runs(threadId))
  const outcome = live === undefined ? undefined : (await openQuestions(log, live, choice))?.outcome
  const { messages } = await loadThread(log, threadId, choice, { limit: MOST_RUNS, hasLive: outcome !== undefined })
  const chunks: readonly Chunk[] = [
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'MESSAGES_SNAPSHOT', messages },
    { type: 'RUN_FINISHED', threadId, runId, ...(outcome && { outcome }) },
  ]
  const headers = { ...sseHeaders, ...getWire(choice.wire).headers }
  return context.body(chunks.map((chunk) => sseFrame(chunk)).join(''), 200, headers)
}

/** The end of a response that asks: the protocol's run that has ended, and its questions. */
interface Pause {
  readonly runId: string
  readonly outcome: JsonObject
}

/** What the run's last response ended with, if it waits for an answer. */
export async function openQuestions(log: Log, run: StoredRun, choice: WireChoice): Promise<Pause | undefined> {
  const { isPause } = getWire(choice.wire)
  let pause: Pause | undefined
  for await (const { chunk, entry } of readChunks(log, { run }, choice)) {
    const { runId, outcome } = chunk
    const isAsking = isPause?.(chunk, entry) === true && isJsonObject(outcome)
    pause = isAsking ? { runId: String(runId), outcome } : undefined
  }
  return pause
}
