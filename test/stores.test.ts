import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { IngestedRun, ThreadDetail, ThreadPage, Verification } from '@millrace/core/api/api-types'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import { sqlite } from '@millrace/server/log/sqlite'
import { demo } from '@millrace/server/run/demo'
import { createServer, type Server } from '@millrace/server/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const stores = new URL('../stores/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'millrace-store-'))
let server: Server & { readonly closeLog: () => Promise<void> }

beforeAll(async () => {
  await mkdir(join(folder, 'log'))
  writeFileSync(join(folder, 'log/millrace.db'), gunzipSync(readFileSync(new URL('first/millrace.db.gz', stores))))
  cpSync(new URL('first/files', stores), join(folder, 'files'), { recursive: true })
  const log = await sqlite.open({ folder: join(folder, 'log') })
  const options = {
    log,
    agents: [demo()],
    dataFolder: folder,
    token: 'token',
    port: 0,
    resumeWithin: 600_000,
    recoverWithin: 60_000,
  }
  server = { ...(await createServer(options)), closeLog: () => log.close() }
})

afterAll(async () => {
  await server.close()
  await server.closeLog()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: 'Bearer token', ...init.headers } })

async function read<Value>(path: string, init?: RequestInit): Promise<Value> {
  const answer = await ask(path, init)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Value
}

const HIDDEN: ReadonlySet<string> = new Set(['startedAt', 'endedAt', 'at', 'createdAt', 'seqs', 'id', 'runId'])
const seenOf = (events: readonly ChatEvent[]) =>
  JSON.parse(JSON.stringify(events, (key, value) => (HIDDEN.has(key) ? undefined : value))) as unknown

/** A line of `first.golden`: what is shown of a thread, without times and ids. */
async function lineOf(threadId: string): Promise<string> {
  const { title, runs, chatEvents } = await read<ThreadDetail>(`/api/threads/${threadId}`)
  const shown = runs.map(({ state, outcome, format, agent, rawRecords, seq }) => ({
    state,
    outcome,
    format,
    agent,
    rawRecords,
    seq,
  }))
  return JSON.stringify({ threadId, title, runs: shown, chatEvents: seenOf(chatEvents) })
}

/** The formats that this version read. */
const formatsOfFirst = readFileSync(new URL('first.golden', stores), 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => /^ended-(.+)$/.exec((JSON.parse(line) as { threadId: string }).threadId)?.[1] ?? [])

describe('a store of an early version', () => {
  it('has a run of each format of that version', () => {
    expect(formatsOfFirst.length).toBeGreaterThan(20)
    expect(Object.keys(parsers)).toEqual(expect.arrayContaining(formatsOfFirst))
  })

  it('is opened, and shows every thread as before', async () => {
    const { threads } = await read<ThreadPage>('/api/threads?limit=100')
    const lines = await Promise.all(
      threads
        .map(({ id }) => id)
        .toSorted()
        .map(lineOf),
    )
    const golden = new URL('first.golden', stores)
    if (!existsSync(golden) && process.env.CI === undefined) writeFileSync(golden, `${lines.join('\n')}\n`)
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      readFileSync(golden, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  })

  it.each(formatsOfFirst)('has a run of %s that verifies, or was read by another version', async (format) => {
    const verdict = await read<Verification>(`/api/runs/run-ended-${format}/verify`)
    expect(verdict).toMatchObject({ ok: true, isComplete: true, problems: [] })
    expect(verdict.reread).toBe('read-by-other-version')
  })

  it('has ended the runs of its own agents, and their questions have expired', async () => {
    for (const threadId of ['demo-live', 'demo-asking', 'with-file']) {
      const { runs, chatEvents } = await read<ThreadDetail>(`/api/threads/${threadId}`)
      expect(runs).toMatchObject([{ state: 'ended', outcome: 'interrupted' }])
      expect(JSON.stringify(chatEvents)).not.toContain('"requested"')
    }
  })

  it('still has the file that a message names', async () => {
    const { chatEvents } = await read<ThreadDetail>('/api/threads/with-file')
    const file = chatEvents.flatMap(({ segments }) => segments).find(({ type }) => type === 'file')
    expect(await (await ask((file as { url: string }).url)).text()).toBe('not really a picture')
  })

  const waiting = ['anthropic-messages', 'agent-lines', 'claude-agent-sdk', 'openai-chat', 'gemini', 'codex-exec']
  it.each([...waiting.map((format) => ['waiting', format]), ['live', 'opencode'], ['live', 'acp']])(
    'resumes the %s run of %s, which then looks like the run that was never broken',
    async (state, format) => {
      const runId = `run-${state}-${format}`
      const { rawRecords } = await read<{ rawRecords: number }>(`/api/runs/${runId}`)
      const recording = readFileSync(new URL(`../fixtures/${format}/scenario.jsonl`, import.meta.url), 'utf8')
      const rest = recording.split('\n').slice(rawRecords).join('\n')
      const query = `format=${format}&runId=${runId}&attempt=2&line=${rawRecords}`
      expect(await read<IngestedRun>(`/api/ingest?${query}`, { method: 'POST', body: rest })).toMatchObject({
        outcome: 'success',
      })
      const [resumed, whole] = await Promise.all(
        [`${state}-${format}`, `ended-${format}`].map((id) => read<ThreadDetail>(`/api/threads/${id}`)),
      )
      expect(seenOf((resumed as ThreadDetail).chatEvents)).toEqual(seenOf((whole as ThreadDetail).chatEvents))
    },
  )

  it('takes the answer to a question that an ingested run asks', async () => {
    const { chatEvents } = await read<ThreadDetail>('/api/threads/waiting-claude-agent-sdk-asking')
    const approvalId = /"approvalId":"([^"]+)"/.exec(JSON.stringify(chatEvents))?.[1]
    const path = `/api/runs/run-waiting-claude-agent-sdk-asking/approvals/${approvalId}`
    const init = {
      method: 'POST',
      body: JSON.stringify({ state: 'approved' }),
      headers: { 'content-type': 'application/json' },
    }
    expect((await ask(path, init)).status).toBe(200)
    const after = await read<ThreadDetail>('/api/threads/waiting-claude-agent-sdk-asking')
    expect(JSON.stringify(after.chatEvents)).toContain('"state":"approved"')
  })
})
