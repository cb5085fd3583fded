import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from './serving.ts'

const bin = fileURLToPath(new URL('../../millrace/bin/millrace.js', import.meta.url))
const children: ChildProcess[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-serve-'))
  folders.push(folder)
  return folder
}

interface Started {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  readonly ended: Promise<number | null>
}

function serve(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const { FORCE_COLOR: _forced, PORT: _port, ...inherited } = process.env
  const child = spawn(process.execPath, [bin, 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, ...env },
  })
  children.push(child)
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    said.stdout += bytes
  })
  child.stderr.on('data', (bytes) => {
    said.stderr += bytes
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, ended }
}

async function addressOf({ stdout, stderr }: Started): Promise<URL> {
  await until(() => stdout().endsWith('\n') || stderr().includes('millrace:'))
  return new URL(stdout().trim())
}

describe('millrace serve', () => {
  it('prints one line, the address with its token, and serves there', async () => {
    const data = temporary()
    const server = serve(['--port', '0', '--data', data])
    const address = await addressOf(server)
    expect(server.stdout().split('\n')).toHaveLength(2)
    const authorization = `Bearer ${address.searchParams.get('token')}`
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(302)
    expect(await (await fetch(new URL('/api/agents', address), { headers: { authorization } })).json()).toMatchObject({
      agents: [{ name: 'demo' }, { name: 'workshop' }],
    })
    expect(server.stderr()).toContain(data)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
  })

  it('keeps its runs and its token after a restart', async () => {
    const data = temporary()
    const env = { PORT: '0', MILLRACE_DATA: data }
    const first = serve([], env)
    const before = await addressOf(first)
    const authorization = `Bearer ${before.searchParams.get('token')}`
    const body = '{"type":"text","data":{"content":"kept"}}\n{"type":"done","data":{}}\n'
    const url = new URL('/api/ingest?format=agent-lines&runId=r', before)
    expect((await fetch(url, { method: 'POST', body, headers: { authorization } })).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const after = await addressOf(serve([], env))
    expect(after.searchParams.get('token')).toBe(before.searchParams.get('token'))
    const stream = await fetch(new URL('/api/runs/r/stream', after), { headers: { authorization } })
    expect(await stream.text()).toContain('kept')
  })

  it('takes its settings from the environment, and flags override them', async () => {
    const env = {
      PORT: '1',
      MILLRACE_TOKEN: 'from-environment',
      MILLRACE_DATA: temporary(),
      MILLRACE_HOST: '127.0.0.1',
    }
    const server = serve(['--port', '0', '--json'], env)
    await until(() => server.stdout().endsWith('\n'))
    const { url, port, token } = JSON.parse(server.stdout())
    expect([token, url]).toEqual(['from-environment', `http://127.0.0.1:${port}/?token=from-environment`])
  })

  it('reports which port is in use, and leaves its data free for another try', async () => {
    const address = await addressOf(serve(['--port', '0', '--data', temporary()]))
    const data = temporary()
    for (let round = 0; round < 2; round++) {
      const second = serve(['--port', address.port, '--data', data])
      expect(await second.ended).toBe(1)
      expect([second.stdout(), second.stderr()]).toEqual(['', expect.stringContaining(`Port ${address.port}`)])
    }
    expect((await addressOf(serve(['--port', '0', '--data', data]))).hostname).toBe('127.0.0.1')
  })

  it('treats an empty variable of the environment as unset', async () => {
    const data = temporary()
    const env = { PORT: '', MILLRACE_HOST: '', MILLRACE_TOKEN: '', MILLRACE_DATA: '' }
    const server = serve(['--port', '0', '--data', data], env)
    const address = await addressOf(server)
    expect(address.hostname).toBe('127.0.0.1')
    expect(address.searchParams.get('token')?.length).toBeGreaterThan(15)
    const taken = serve(['--data', temporary()], { ...env, PORT: address.port })
    expect([await taken.ended, taken.stderr()]).toEqual([1, expect.stringContaining(`Port ${address.port}`)])
  })

  it('takes its own port if PORT is empty, whether that is free or not', async () => {
    const server = serve(['--data', temporary()], { PORT: '' })
    await until(async () => `${server.stdout()}${server.stderr()}` !== '')
    expect(`${server.stdout()}${server.stderr()}`).toContain('4870')
  })

  it('ends at once at the second signal, whichever it is', async () => {
    const server = serve(['--port', '0', '--data', temporary()])
    const address = await addressOf(server)
    const headers = { authorization: `Bearer ${address.searchParams.get('token')}` }
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"type":"text"}\n')) })
    const url = new URL('/api/ingest?format=agent-lines&runId=open', address)
    // An upload that does not end keeps the server from closing.
    void fetch(url, { method: 'POST', headers, body, duplex: 'half' }).catch(() => {})
    await until(async () => (await fetch(new URL('/api/runs/open', address), { headers })).ok)
    server.child.kill('SIGTERM')
    await until(() => server.stderr().includes('Stopping.'))
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(130)
  })

  it('drains before it stops, and a second signal ends that too', async () => {
    const server = serve(['--port', '0', '--data', temporary(), '--drain-seconds', '1'])
    const address = await addressOf(server)
    const statusOf = async (path: string) => (await fetch(new URL(path, address))).status
    expect(await statusOf('/api/ready')).toBe(200)
    const begin = performance.now()
    server.child.kill('SIGTERM')
    await until(async () => (await statusOf('/api/ready')) === 503)
    expect(await statusOf('/api/health')).toBe(200)
    expect(await server.ended).toBe(0)
    expect(performance.now() - begin).toBeGreaterThan(990)
    const patient = serve(['--port', '0', '--data', temporary()], { MILLRACE_DRAIN_SECONDS: '60' })
    await addressOf(patient)
    patient.child.kill('SIGTERM')
    await until(() => patient.stderr().includes('stopping in 60 s'))
    patient.child.kill('SIGTERM')
    expect(await patient.ended).toBe(130)
  })

  it('prints a line for each request if it is asked to, without the token', async () => {
    const silent = serve(['--port', '0', '--data', temporary()])
    await fetch(new URL('/api/health', await addressOf(silent)))
    expect(silent.stderr()).not.toContain('/api/health')
    const server = serve(['--port', '0', '--data', temporary()], { MILLRACE_REQUEST_LOG: '1' })
    const address = await addressOf(server)
    await fetch(address, { redirect: 'manual' })
    await until(() => server.stderr().includes('"status":302'))
    const line = server
      .stderr()
      .split('\n')
      .find((each) => each.startsWith('{'))
    expect(JSON.parse(line ?? '')).toMatchObject({ method: 'GET', path: '/', status: 302 })
    expect(server.stderr()).not.toContain(address.searchParams.get('token'))
  })

  it.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['--port', '65536'], 'from 0 to 65535, not 65536.'],
    [['--host', '0.0.0.0', '--port', '0'], 'a token that you choose'],
    [['--host', '0.0.0.0', '--port', '0', '--token', 'fifteen-letters'], 'at least 16 characters'],
    [['--port', '0', '--token', 'two words'], 'without spaces'],
    [['--token', ''], 'token is empty'],
    [['run'], 'takes only flags'],
  ])('exits with 2 for %j', async (args, sentence) => {
    const server = serve([...args, '--data', temporary()])
    expect(await server.ended).toBe(2)
    expect([server.stdout(), server.stderr()]).toEqual(['', expect.stringContaining(sentence)])
  })

  it('prints its help', async () => {
    const server = serve(['--help'])
    expect(await server.ended).toBe(0)
    for (const word of ['--port', '--host', '--token', '--data', 'MILLRACE_DATA'])
      expect(server.stdout()).toContain(word)
  })
})
