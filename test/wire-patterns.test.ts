import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createServer, type Server } from '@millrace/server'
import type { Agent } from '@millrace/server/agent'
import { memory } from '@millrace/server/log/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = join(root, 'docs/wires')
const HEADING = '\n## Load, resume, send, stop\n'

const encoder = new TextEncoder()
const line = (type: string, data: object) => encoder.encode(`${JSON.stringify({ type, data })}\n`)

/** Lets the live answer of a thread go on. */
const gates = new Map<string, PromiseWithResolvers<void>>()

/** It answers the first question at once, the second when it is let, and never ends its answer to the question of the page. */
const pilot: Agent = {
  name: 'pilot',
  title: 'Pilot',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ input, threadId, signal }) {
    if (input.text === 'And then?') {
      yield line('text', { content: 'We ' })
      yield line('text', { content: 'wait' })
      await new Promise((stopped) => signal.addEventListener('abort', stopped))
      return
    }
    yield line('text', { content: 'At six' })
    if (input.text === 'Really?') await gates.get(threadId)?.promise
    yield line('text', { content: ' forty. ' })
    yield line('done', {})
  },
}

let server: Server
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-patterns-'))
  const log = await memory.open({ folder: dataFolder })
  server = await createServer({ log, agents: [pilot], dataFolder, token: 'mill-token-for-patterns', port: 0 })
  closing.push(
    server.close,
    () => log.close(),
    () => rm(dataFolder, { recursive: true }),
  )
})

afterAll(async () => {
  for (const close of closing) await close()
})

/** The programs of the pages, each with the name of its page. */
const programs = readdirSync(pages).flatMap((page) => {
  const [, section = ''] = readFileSync(join(pages, page), 'utf8').split(HEADING)
  const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1]
  return code === undefined ? [] : [[page.replace(/\.md$/, ''), code] as const]
})

async function ask(path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  return (await fetch(`${server.url}/api/${path}`, { ...init, headers })).json()
}

async function start(threadId: string, text: string): Promise<string> {
  const body = JSON.stringify({ agent: 'pilot', input: { text } })
  const { runId } = (await ask(`threads/${threadId}/runs`, { method: 'POST', body })) as { runId: string }
  return runId
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await holds()); await new Promise((on) => setTimeout(on, 10))) {
    if (Date.now() > deadline) throw new Error('It does not happen.')
  }
}

/** What the program prints. The live answer goes on once the program has printed the loaded one. */
async function printedBy(code: string, threadId: string): Promise<string> {
  const folder = await mkdtemp(join(root, 'test', '.pattern-'))
  try {
    const program = join(folder, 'client.ts')
    await writeFile(program, code)
    const env = { ...process.env, MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token, THREAD_ID: threadId }
    const child = spawn(process.execPath, [program], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 30_000,
    })
    let printed = ''
    let failure = ''
    child.stderr.on('data', (piece: Buffer) => {
      failure += piece
    })
    child.stdout.on('data', (piece: Buffer) => {
      printed += piece
      if (printed.startsWith('At six forty. ')) gates.get(threadId)?.resolve()
    })
    const status = await new Promise<number | null>((ended) => child.on('close', ended))
    return status === 0 ? printed : `${printed}\n${failure}`
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the page of a wire', () => {
  it('has such a program if its clients load messages', () => {
    expect(programs.map(([name]) => name).toSorted()).toEqual(['ag-ui', 'ai-sdk', 'ds-agent', 'event-segments'])
  })

  it.each(programs)(
    '%s has a program that loads, resumes, sends and stops, as it stands',
    async (name, code) => {
      const threadId = `pattern-${name}`
      gates.set(threadId, Promise.withResolvers())
      const first = await start(threadId, 'When?')
      await until(async () => ((await ask(`runs/${first}`)) as { state: string }).state === 'ended')
      const second = await start(threadId, 'Really?')
      await until(async () => JSON.stringify(await ask(`threads/${threadId}`)).includes(`"${second}/`))

      expect(await printedBy(code, threadId)).toMatch(/^At six forty\. At six forty\. We (?:wait)?$/)
      const { runs } = (await ask(`threads/${threadId}`)) as { runs: { state: string; outcome: string }[] }
      expect(runs.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'cancelled'])
    },
    40_000,
  )
})
