import { type ClientRequest, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Answer, optionsFor, runAt, whole } from './asking.ts'
import type { Address } from './server-process.ts'
import { bodyOf, type Stream } from './streams.ts'

export interface Produce {
  readonly server: Address
  readonly runId: string
  readonly stream: Stream
  readonly random: () => number
  /** How long it rests after each piece, in ms; 0 where it does not. */
  readonly rest: number
  /** The largest piece, in bytes; default 500. */
  readonly piece?: number
  /** After how many bytes it breaks its own connection off, each time anew; never where it is left out. */
  readonly breakAfter?: () => number
  /** The longest that it may take, in ms. */
  readonly patience?: number
}

export interface Produced {
  /** How many requests it took. */
  readonly requests: number
  readonly answer: { readonly rawRecords: number; readonly entries: number; readonly outcome?: string }
}

/** What a producer may be told without anything being wrong: it has to ask how the run stands, and to go on. */
const passing = new Set(['broken-off', 'run-busy', 'closing', 'stale-attempt', 'log-full', 'log-failed'])

/** Sends a stream in small pieces, and goes on from what is durable as often as the connection breaks. */
export async function produce(options: Produce): Promise<Produced> {
  const { server, runId, stream, random, patience = 60_000 } = options
  const deadline = Date.now() + patience
  let attempt = 1
  for (let requests = 1; Date.now() < deadline; requests++) {
    const run = await runAt(server, runId)
    attempt = Math.max(attempt, run?.attempt ?? 1)
    const durable = run?.rawRecords ?? 0
    // Some repeat more than they must: what is durable already is skipped.
    const line = random() < 0.3 ? Math.floor(random() * durable) : durable
    const query = `format=${stream.format}&runId=${runId}&attempt=${attempt}&line=${line}`
    const answer = await send(options, `/api/ingest?${query}`, bodyOf(stream, line)).catch(() => undefined)
    if (answer?.status === 200) return { requests, answer: JSON.parse(answer.text) }
    const code = answer === undefined ? 'broken-off' : (JSON.parse(answer.text)?.error?.code ?? 'none')
    if (!passing.has(code)) throw new Error(`A producer was told ${answer?.status}: ${answer?.text}`)
    if (code === 'run-busy' || random() < 0.5) attempt++
    await setTimeout(10)
  }
  throw new Error(`A producer could not finish ${runId}.`)
}

function send(options: Produce, path: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(optionsFor(options.server, path, 'POST'))
    asked.on('error', reject).on('close', () => reject(new Error('closed')))
    asked.on('response', (response) => void whole(response).then(resolve, reject))
    drip(asked, body, options).catch(reject)
  })
}

async function drip(asked: ClientRequest, body: Buffer, options: Produce): Promise<void> {
  const { random, rest, piece = 500, breakAfter } = options
  const end = Math.min(body.length, breakAfter?.() ?? Number.POSITIVE_INFINITY)
  let at = 0
  while (at < end && !asked.destroyed) {
    const next = Math.min(end, at + 1 + Math.floor(random() * piece))
    if (!asked.write(body.subarray(at, next))) await drained(asked)
    at = next
    if (rest > 0) await setTimeout(random() * 2 * rest)
  }
  if (at < body.length) asked.destroy()
  else asked.end()
}

function drained(asked: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      asked.off('drain', settle).off('close', settle)
      resolve()
    }
    asked.on('drain', settle).on('close', settle)
  })
}
