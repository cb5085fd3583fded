import type { Verification } from '@millrace/core/api'
import { z } from 'zod'
import type { Log, LoggedInput } from '../../log/log.ts'
import { verifyRun } from '../../verify/verify.ts'
import { apiHeaders } from '../headers.ts'
import { readQuery } from '../request.ts'
import { json, respondWith, streamBytes } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape } from '../shapes.ts'
import { runOf } from './runs.ts'

const rawShape = z.object({
  /** The number of the first record, from 0, and of the one behind the last. */
  from: countShape(Number.MAX_SAFE_INTEGER).default(0),
  to: countShape(Number.MAX_SAFE_INTEGER).default(Number.MAX_SAFE_INTEGER),
  shape: z.enum(['text', 'objects']).default('text'),
})
type RawQuery = z.output<typeof rawShape>

const encoder = new TextEncoder()

/** The raw records, one a line: as they were sent, or as objects with their numbers and names. */
async function raw(context: Context, services: Services): Promise<Response> {
  const { log, timing } = services
  const { id } = await runOf(context, log)
  const query = readQuery(context, rawShape)
  const headers = { ...apiHeaders, 'content-type': 'application/x-ndjson; charset=utf-8' }
  if (context.req.method === 'HEAD') return context.body(null, 200, headers)
  return respondWith(context, services, (sink) => streamBytes(sink, timing, headers, linesOf(log, id, query)))
}

async function* linesOf(log: Log, runId: string, { from, to, shape }: RawQuery): AsyncGenerator<Uint8Array> {
  let number = 0
  for await (const inputs of log.inputs(runId)) {
    let text = ''
    for (const input of inputs) {
      if (input.by !== 'producer') continue
      if (number >= from && number < to) text += `${lines[shape](input, number)}\n`
      number++
    }
    if (text !== '') yield encoder.encode(text)
  }
}

type Producer = Extract<LoggedInput, { by: 'producer' }>

const lines: { readonly [Shape in RawQuery['shape']]: (input: Producer, number: number) => string } = {
  // A line break between JSON tokens is only layout; in any other text it would split the record.
  text: ({ text }) => (/[\r\n]/.test(text) ? onOneLine(text) : text),
  objects: ({ text, name }, number) => JSON.stringify({ number, name, text }),
}

function onOneLine(text: string): string {
  try {
    JSON.parse(text)
    return text.replace(/[\r\n]+/g, ' ')
  } catch {
    return JSON.stringify(text)
  }
}

async function verify(context: Context, services: Services): Promise<Response> {
  return json<Verification>(context, await verifyRun(services, await runOf(context, services.log)))
}

export const rawRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/runs/:id/raw', policy: 'token', handle: raw },
  { method: 'GET', path: '/api/runs/:id/verify', policy: 'token', handle: verify },
]
