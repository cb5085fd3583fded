import { setTimeout } from 'node:timers/promises'
import { ask, runAt } from './asking.ts'
import type { Address } from './server-process.ts'

/** A command that was sent, and how it was answered; without a status if the connection was lost. */
export interface Asked {
  readonly runId: string
  readonly path: string
  readonly status?: number
}

/** Who stops what is left at the end of a round: such a stop is none of those that were tried. */
export const CLEAN_UP = 'clean-up'

/** The thread of all runs that are asked something. */
export const THREAD = 't'

type Begin = (server: Address, runId: string) => Promise<unknown>

const startAgent: Begin = (server, runId) =>
  post(server, `/api/threads/${THREAD}/runs`, { agent: 'asking', input: 'Go', runId })

/** A run whose producer has gone. */
const leaveProducer: Begin = (server, runId) =>
  leave(server, runId, 'agent-lines', [{ type: 'text', data: { content: 'One.' } }])

/** A run whose producer has gone, and that waits for an answer without a limit. */
const leaveQuestion: Begin = (server, runId) =>
  leave(server, runId, 'ai-sdk', [
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'move', input: {} },
    { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'approval-1' },
  ])

/** The ways in which a run comes to be asked something. */
const kinds: readonly Begin[] = [startAgent, leaveProducer, leaveQuestion]

/** Begins so many runs of all kinds. One that cannot be begun, because the server dies, is left out. */
export async function beginRuns(server: Address, runIds: readonly string[]): Promise<void> {
  await Promise.allSettled(runIds.map((runId, nth) => kinds[nth % kinds.length]?.(server, runId)))
}

/** Asks each run for something, each time another of the servers. Each answer is noted when it comes. */
export function askAll(
  servers: readonly Address[],
  runIds: readonly string[],
  random: () => number,
  note: (asked: Asked) => void,
): Promise<unknown> {
  const anyServer = () => servers[Math.floor(random() * servers.length)] as Address
  const sent = runIds.flatMap((runId) => {
    const path = (name: string) => `/api/runs/${runId}/${name}`
    const all = [
      { path: path('approvals/approval-1'), body: { state: 'approved' } },
      { path: path('messages'), body: { text: 'Left!', messageId: `m-${runId}` } },
      ...(random() < 0.5 ? [{ path: path('stop'), body: {} }] : []),
    ]
    return all.map(async ({ path, body }) => {
      const answer = await post(anyServer(), path, body).catch(() => undefined)
      note({ runId, path, ...(answer && { status: answer.status }) })
    })
  })
  return Promise.all(sent)
}

/** Long enough for a command that waits 15 s for its result. */
const POST_WITHIN = 20_000

export const post = (server: Address, path: string, body: object) =>
  ask(server, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    within: POST_WITHIN,
  })

/** How long a producer waits for its run before it goes, in ms: one that begins later is asked for nothing, and ended by nobody. */
const BEGINS_WITHIN = 5_000

async function leave(server: Address, runId: string, format: string, records: readonly object[]) {
  const { port, token } = server
  const gone = new AbortController()
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  async function* body() {
    yield new TextEncoder().encode(lines)
    const deadline = Date.now() + BEGINS_WITHIN
    do await setTimeout(20)
    while (Date.now() < deadline && (await runAt(server, runId, BEGINS_WITHIN)) === undefined)
    gone.abort()
    yield new Uint8Array()
  }
  const url = `http://127.0.0.1:${port}/api/ingest?format=${format}&threadId=${THREAD}&runId=${runId}`
  const headers = { authorization: `Bearer ${token}` }
  const init = { method: 'POST', headers, body: ReadableStream.from(body()), duplex: 'half', signal: gone.signal }
  await fetch(url, init as RequestInit).catch(() => undefined)
}
