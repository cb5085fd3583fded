import type { IngestedRun } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import { type Framing, sources } from '@millrace/core/source'
import { z } from 'zod'
import { bodyOf, readQuery } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape, titleShape } from '../shapes.ts'

const ingestShape = z.object({
  format: z.string().min(1).max(100).default('auto'),
  threadId: idShape.optional(),
  runId: idShape.optional(),
  attempt: countShape(Number.MAX_SAFE_INTEGER).optional(),
  line: countShape(Number.MAX_SAFE_INTEGER).optional(),
  framing: z.enum(Object.keys(sources) as Framing[]).optional(),
  title: titleShape.optional(),
  file: titleShape.optional(),
})

/** The body is logged while it arrives; its size has no limit, that of a record has. */
async function ingest(context: Context, { runs, requests }: Services): Promise<Response> {
  const options = present(readQuery(context, ingestShape))
  const { runId: run, threadId: thread } = options
  requests.note(context, { isStream: true, ...present({ run, thread }) })
  const ingested = await runs.ingest(options, bodyOf(context))
  requests.note(context, { run: ingested.runId, thread: ingested.threadId })
  return json<IngestedRun>(context, ingested)
}

export const ingestRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/ingest', policy: 'token', handle: ingest },
  // What `curl -T -` sends.
  { method: 'PUT', path: '/api/ingest', policy: 'token', handle: ingest },
]
