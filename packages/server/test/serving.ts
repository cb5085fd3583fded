import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { Timing } from '../src/deliver/pacer.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import type { Agent, AgentHost, AgentRequest } from '../src/run/agent.ts'
import { createServer, type Server, type ServerOptions } from '../src/server.ts'

export interface Serving extends Server {
  readonly log: Log
  readonly dataFolder: string
  /** Sends a request with the token. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON with the token. */
  send(method: string, path: string, body: unknown, headers?: { readonly [name: string]: string }): Promise<Response>
}

const TOKEN = 'mill-token-for-tests'
const closing: (() => Promise<void>)[] = []

/** For tests: a server on a free port with a log in memory. Both are closed after the test. */
export async function startServer(options: Partial<ServerOptions> = {}): Promise<Serving> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'millrace-server-')))
  const log = options.log ?? (await memory.open({ folder: dataFolder }))
  // A test sees what is settled at the start, however busy the machine is.
  const defaults = { agents: [], token: TOKEN, port: 0, stopWithin: 50, recoverWithin: 60_000 }
  const server = await createServer({ log, dataFolder, ...defaults, ...options })
  closing.push(async () => {
    await server.close()
    await log.close()
    await rm(dataFolder, { recursive: true, force: true })
  })
  const authorization = `Bearer ${server.token}`
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization, ...init.headers } })
  return {
    ...server,
    log,
    dataFolder,
    ask,
    send: (method, path, body, headers) =>
      ask(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
  }
}

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An agent that sends one line per yielded value; `{type, data}` unless another format is named. */
export function scripted(
  name: string,
  script: (request: AgentRequest, host: AgentHost) => AsyncIterable<object>,
  format = 'agent-lines',
): Agent {
  const encoder = new TextEncoder()
  return {
    name,
    title: name,
    format,
    framing: 'json-lines',
    async *run(request, host) {
      for await (const line of script(request, host)) yield encoder.encode(`${JSON.stringify(line)}\n`)
    },
  }
}

export const text = (content: string) => ({ type: 'text', data: { content } })

/** A gate that the test opens. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Ingests a recording and returns its run's id. */
export async function ingested({ ask }: Serving, format: string, body: Uint8Array | string): Promise<string> {
  const response = await ask(`/api/ingest?format=${format}`, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
  })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return ((await response.json()) as { runId: string }).runId
}

/** Starts the first agent and returns its run's id. */
export async function started({ send }: Serving, input = 'go'): Promise<string> {
  const response = await send('POST', '/api/threads/t/runs', { input })
  return ((await response.json()) as { runId: string }).runId
}

/** A clock that the test advances. */
export function createTiming(): Timing & { advance(ms: number): void /** The number of timers. */; pending(): number } {
  const pending = new Set<{ readonly at: number; readonly act: () => void }>()
  let now = 0
  return {
    heartbeat: 15_000,
    stallAfter: 30_000,
    delay(ms, act) {
      const timer = { at: now + ms, act }
      pending.add(timer)
      return () => pending.delete(timer)
    },
    pending: () => pending.size,
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...pending].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (next === undefined) break
        pending.delete(next)
        now = next.at
        next.act()
      }
      now = end
    },
  }
}

/** Resolves when the condition holds. Bounded. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('the condition was never met')
}
