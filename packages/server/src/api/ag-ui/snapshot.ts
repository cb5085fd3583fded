import type { JsonObject } from '@millrace/core/json'
import { type Chunk, getWire, sseFrame } from '@millrace/core/wire'
import { readChunks } from '../../deliver/chunks.ts'
import { sseHeaders } from '../../deliver/sse.ts'
import type { Log, StoredRun } from '../../log/log.ts'
import { liveIn, loadThread } from '../history.ts'
import type { Context } from '../services.ts'
import type { RunRequest } from './request.ts'
import { AG_UI } from './resume.ts'

/** The most runs that are loaded at once. */
const MOST_RUNS = 200

/**
 * A thread in one run of the protocol: all messages, and the questions that are open. A run that is under way is left out,
 * because the client reads it from its first chunk by the run's id; one that waits for an answer is included.
 */
export async function snapshotResponse(context: Context, log: Log, { threadId, runId }: RunRequest): Promise<Response> {
  const live = liveIn(await log.runs(threadId))
  const outcome = live === undefined ? undefined : await openQuestions(log, live)
  const { messages } = await loadThread(log, threadId, AG_UI, { limit: MOST_RUNS, hasLive: outcome !== undefined })
  const chunks: readonly Chunk[] = [
    { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' },
    { type: 'MESSAGES_SNAPSHOT', messages },
    { type: 'RUN_FINISHED', threadId, runId, outcome: outcome ?? { type: 'success' } },
  ]
  const headers = { ...sseHeaders, ...getWire(AG_UI.wire).headers }
  return context.body(chunks.map((chunk) => sseFrame(chunk)).join(''), 200, headers)
}

/** What the run's last response ended with, if it waits for an answer. */
async function openQuestions(log: Log, run: StoredRun): Promise<JsonObject | undefined> {
  const { isPause } = getWire(AG_UI.wire)
  let outcome: JsonObject | undefined
  for await (const { chunk, entry } of readChunks(log, { run }, AG_UI)) {
    outcome = isPause?.(chunk, entry) ? (chunk.outcome as JsonObject | undefined) : undefined
  }
  return outcome
}
