import { type ClientRequest, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Answer, optionsFor, runAt, whole } from './asking.ts'
import type { Address } from './server-process.ts'
import { bodyOf, type Stream } from './streams.ts'

export interface Produce {
  readonly server: Address
  /** Other servers, which it tries in turn when a request fails. */
  readonly elsewhere?: readonly Address[]
  readonly runId: string
  readonly stream: Stream
  readonly random: () => number
  /** The mean pause after each piece, in ms; 0 for none. */
  readonly pauseMs: number
  /** The largest piece, in bytes; default 500. */
  readonly piece?: number
  /** After how many bytes it breaks its connection off, for each connection; without it, never. */
  readonly breakAfter?: () => number
  /** How long it may take, in ms. */
  readonly patience?: number
}

export interface Produced {
  /** How many requests it took. */
  readonly requests: number
  readonly answer: { readonly rawRecords: number; readonly entries: number; readonly outcome?: string }
}

/** Refusals that are not a fault: the producer requests the run's state and goes on. */
const passing = new Set([
  'broken-off',
  'run-busy',
  'closing',
  'stale-attempt',
  'log-full',
  'log-failed',
  'lease-lost',
  'out-of-step',
])

/** Between two requests, in ms. */
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 200

/** A server that is not there is asked this long for the state of the run, in ms. */
const STATE_WITHIN = 1_000

/** Sends a stream in small pieces, and resumes from what is durable whenever the connection breaks. */
export async function produce(options: Produce): Promise<Produced> {
  const { elsewhere = [], runId, stream, random, patience = 60_000 } = options
  const servers = [options.server, ...elsewhere]
  const deadline = Date.now() + patience
  let attempt = 1
  let pause = FIRST_PAUSE
  for (let requests = 1; Date.now() < deadline; requests++) {
    const server = servers[(requests - 1) % servers.length] as Address
    const run = await runAt(server, runId, STATE_WITHIN)
    attempt = Math.max(attempt, run?.attempt ?? 1)
    const durable = run?.rawRecords ?? 0
    // Some producers repeat more than they must: the server skips what is durable already.
    const line = random() < 0.3 ? Math.floor(random() * durable) : durable
    const query = `format=${stream.format}&runId=${runId}&attempt=${attempt}&line=${line}`
    const answer = await send({ ...options, server }, `/api/ingest?${query}`, bodyOf(stream, line)).catch(
      () => undefined,
    )
    if (answer?.status === 200) return { requests, answer: JSON.parse(answer.text) }
    const code = answer === undefined ? 'broken-off' : (JSON.parse(answer.text)?.error?.code ?? 'none')
    if (!passing.has(code)) throw new Error(`A producer was refused with ${answer?.status}: ${answer?.text}`)
    if (code === 'run-busy' || random() < 0.5) attempt++
    // A lost owner is lost for about a second: whoever asks for the run all the time only keeps the machine busy.
    pause = code === 'run-busy' ? Math.min(2 * pause, LONGEST_PAUSE) : FIRST_PAUSE
    await setTimeout(pause * (0.5 + random() / 2))
  }
  throw new Error(`A producer could not finish ${runId}.`)
}

function send(options: Produce, path: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(optionsFor(options.server, path, 'POST'))
    outgoing.on('error', reject).on('close', () => reject(new Error('closed')))
    outgoing.on('response', (response) => void whole(response).then(resolve, reject))
    drip(outgoing, body, options).catch(reject)
  })
}

async function drip(outgoing: ClientRequest, body: Buffer, options: Produce): Promise<void> {
  const { random, pauseMs, piece = 500, breakAfter } = options
  const end = Math.min(body.length, breakAfter?.() ?? Number.POSITIVE_INFINITY)
  let at = 0
  while (at < end && !outgoing.destroyed) {
    const next = Math.min(end, at + 1 + Math.floor(random() * piece))
    if (!outgoing.write(body.subarray(at, next))) await drained(outgoing)
    at = next
    if (pauseMs > 0) await setTimeout(random() * 2 * pauseMs)
  }
  if (at < body.length) outgoing.destroy()
  else outgoing.end()
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle).on('close', settle)
  })
}
