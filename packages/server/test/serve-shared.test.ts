import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { redisAbsence } from '@millrace/testkit/repository/servers/redis'
import { sharedPostgres, sharedRedis } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from './serving.ts'

const bin = fileURLToPath(new URL('../../millrace/bin/millrace.js', import.meta.url))
const TOKEN = 'a-token-for-both-servers'

interface Served {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
}

function serve(args: readonly string[], env: NodeJS.ProcessEnv): Served {
  const data = mkdtempSync(join(tmpdir(), 'millrace-shared-'))
  const { FORCE_COLOR: _forced, PORT: _port, ...inherited } = process.env
  const all = ['serve', '--port', '0', '--data', data, '--token', TOKEN, ...args]
  const child = spawn(process.execPath, [bin, ...all], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    output.stdout += bytes
  })
  child.stderr.on('data', (bytes) => {
    output.stderr += bytes
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(data, { recursive: true, force: true })
  })
  return { child, output }
}

/** Requests to a server, once it is ready. */
async function clientOf({ output }: Served) {
  await until(() => output.stdout.endsWith('\n') || output.stderr.includes('millrace:'))
  const { origin } = new URL(output.stdout.trim())
  return (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } })
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

describe.skipIf(postgresAbsence ?? redisAbsence)('servers that share a database', () => {
  it('show each other’s runs and files, and stop each other’s agents', async () => {
    const databaseUrl = await (await sharedPostgres({ fsync: false })).createDatabase()
    const env = { MILLRACE_DATABASE_URL: databaseUrl, MILLRACE_REDIS_URL: (await sharedRedis()).url }
    const [one, other] = await Promise.all([serve([], env), serve([], env)].map(clientOf))
    if (one === undefined || other === undefined) throw new Error('There are two servers.')
    const upload = await one('files', { method: 'POST', body: 'shared', headers: { 'content-type': 'text/plain' } })
    expect(upload.status).toBe(201)
    const { id } = (await upload.json()) as { id: string }
    expect(await (await other(`files/${id}`)).text()).toBe('shared')
    const started = await one('threads/t/runs', json({ agent: 'demo', input: { text: 'Hello' } }))
    expect(started.status).toBeLessThan(300)
    const { runId } = (await started.json()) as { runId: string }
    const stream = await other(`runs/${runId}/stream?format=native`)
    const stopped = await other(`runs/${runId}/stop`, { method: 'POST' })
    expect(stopped.status).toBeLessThan(300)
    expect(await stream.text()).toContain('run-end')
    for (const client of [one, other]) expect((await client('threads/t')).status).toBe(200)
  }, 60_000)

  it('say in one sentence why a database cannot be used, without its password', async () => {
    const { url } = await sharedPostgres({ fsync: false })
    const wrong = Object.assign(new URL(url), { password: 'topsecret' }).href
    for (const databaseUrl of [wrong, 'postgres://someone:topsecret@127.0.0.1:1/none']) {
      const { child, output } = serve(['--database-url', databaseUrl], {})
      const [code] = await once(child, 'close')
      expect([code, output.stdout]).toEqual([1, ''])
      expect(output.stderr).toMatch(/^millrace: The database of the log cannot be used: .*\.\n$/)
      expect(output.stderr).not.toMatch(/topsecret|at .*:\d+:\d+/)
    }
  }, 60_000)
})
