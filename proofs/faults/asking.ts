import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Address } from './server-process.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** The options of a request to a server, over a connection of its own. */
export function optionsFor({ port, token }: Address, path: string, method = 'GET'): RequestOptions {
  return { host: '127.0.0.1', port, path, method, agent: false, headers: { authorization: `Bearer ${token}` } }
}

interface Question {
  readonly method?: string
  readonly headers?: object
  readonly body?: string | Uint8Array
  /** How long it may take, in ms. */
  readonly within?: number
}

/** Sends one request. Rejects if the connection breaks, or if it takes too long. */
export function ask(
  server: Address,
  path: string,
  { method = 'GET', headers = {}, body = '', within = 60_000 }: Question = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { ...optionsFor(server, path, method), signal: AbortSignal.timeout(within) }
    const outgoing = request({ ...options, headers: { ...(options.headers as object), ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => void whole(response).then(resolve, reject))
    outgoing.end(body)
  })
}

export async function whole(response: IncomingMessage): Promise<Answer> {
  const pieces: Uint8Array[] = []
  for await (const piece of response) pieces.push(piece)
  return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }
}

export interface RunView {
  readonly state: 'live' | 'waiting' | 'ended'
  readonly attempt: number
  readonly seq: number
  readonly rawRecords: number
  readonly waitUntil?: number
}

/** The state of a run; undefined if there is no such run, or no server. */
export async function runAt(server: Address, runId: string, within?: number): Promise<RunView | undefined> {
  const answer = await ask(server, `/api/runs/${runId}`, { ...(within && { within }) }).catch(() => undefined)
  return answer?.status === 200 ? (JSON.parse(answer.text) as RunView) : undefined
}

/** Logs a whole body and returns the id of its run. */
export async function ingest(server: Address, format: string, body: Uint8Array | string): Promise<string> {
  const { status, text } = await ask(server, `/api/ingest?format=${format}`, { method: 'POST', body })
  if (status !== 200) throw new Error(`ingest answered ${status}: ${text.slice(0, 200)}`)
  return (JSON.parse(text) as { runId: string }).runId
}
