import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { redisAbsence } from '@millrace/testkit/repository/servers/redis'
import { sharedPostgres, sharedRedis } from '@millrace/testkit/repository/servers/shared'

const TOKEN = 'a-token-for-all-nodes'

/** What a node runs: the command itself, or the same store and server with agents that tests have written. */
export const programs = {
  serve: [fileURLToPath(new URL('../../packages/millrace/bin/millrace.js', import.meta.url)), 'serve', '--port', '0'],
  agents: [fileURLToPath(new URL('./agent-node.ts', import.meta.url))],
} as const satisfies { readonly [name: string]: readonly string[] }

/** A server in a process of its own, over a database that others use too. */
export interface NodeProcess {
  readonly url: string
  readonly entrance: string
  readonly token: string
  /** What its agents have heard, a line each. */
  readonly heard: readonly string[]
  /** A request with the token. */
  ask(path: string, init?: RequestInit): Promise<Response>
  post(path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>
  /** SIGKILL: the process finishes nothing. */
  kill(): Promise<void>
}

export interface NodeSettings {
  readonly databaseUrl: string
  /** Absent: the database wakes the nodes. */
  readonly redisUrl?: string
  /** Milliseconds. */
  readonly leaseTtl?: number
}

export async function startNode(program: keyof typeof programs, settings: NodeSettings): Promise<NodeProcess> {
  const data = mkdtempSync(join(tmpdir(), 'millrace-node-'))
  const child = spawn(process.execPath, [...programs[program]], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(settings, data),
  })
  const heard: string[] = []
  const entrance = await firstLine(child, heard)
  const { origin: url } = new URL(entrance)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } })
  return {
    url,
    entrance,
    token: TOKEN,
    heard,
    ask,
    async post(path, body = {}) {
      const headers = { 'content-type': 'application/json' }
      const answer = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, body: await answer.json() }
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(data, { recursive: true, force: true })
    },
  }
}

function environmentOf({ databaseUrl, redisUrl, leaseTtl }: NodeSettings, data: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:PORT|FORCE_COLOR|MILLRACE_.*)$/.test(name))
  return {
    ...Object.fromEntries(inherited),
    MILLRACE_DATA: data,
    MILLRACE_TOKEN: TOKEN,
    MILLRACE_DATABASE_URL: databaseUrl,
    ...(redisUrl !== undefined && { MILLRACE_REDIS_URL: redisUrl }),
    ...(leaseTtl !== undefined && { MILLRACE_LEASE_TTL: String(leaseTtl) }),
  }
}

/** Resolves with the address that the process prints; further lines are what its agents hear. */
function firstLine({ stdout, stderr }: ChildProcess, heard: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (stdout === null || stderr === null) throw new Error('The output of the process is piped.')
    let complaint = ''
    stderr.on('data', (bytes) => {
      complaint = `${complaint}${bytes}`.slice(-2_000)
    })
    stdout.once('close', () => reject(new Error(`The node did not start: ${complaint}`)))
    const lines = createInterface({ input: stdout })
    lines.once('line', (line) => {
      resolve(line)
      lines.on('line', (next) => heard.push(next))
    })
  })
}

/** The buses that processes can share, and the settings with which nodes use them. */
export const sharedBuses = {
  postgres: { absence: undefined, settings: async () => ({}) },
  redis: { absence: redisAbsence, settings: async () => ({ redisUrl: (await sharedRedis()).url }) },
} as const satisfies { readonly [name: string]: object }

export const newDatabase = async (): Promise<string> => (await sharedPostgres({ fsync: false })).createDatabase()

/** Resolves when the condition holds; rejects with the sentence that did not come true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  throw new Error(`It did not come true: ${what}.`)
}
