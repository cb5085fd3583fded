import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { millrace, millraceBin, plainEnvironment } from './command.ts'
import { agentLines } from './streams.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const children: ChildProcess[] = []
const folders: string[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project with these files, in which `millrace` and `@millrace/core` are installed. */
function project(files: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-config-'))
  folders.push(folder)
  mkdirSync(join(folder, 'node_modules', '@millrace'), { recursive: true })
  symlinkSync(join(root, 'packages/millrace'), join(folder, 'node_modules/millrace'))
  symlinkSync(join(root, 'packages/core'), join(folder, 'node_modules/@millrace/core'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PORT: _port, ...others } = plainEnvironment()
  return { ...others, ...more }
}

/** Starts the server, and resolves with its address and its note. */
async function serving(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [millraceBin, 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: environment(env),
  })
  children.push(child)
  let note = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      note += bytes
      if (note.includes('Ctrl-C')) resolve()
    })
    child.once('exit', () => reject(new Error(`The server did not start. ${note}`)))
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), ready.then(() => once(child.stdout, 'data'))])
  await ready
  const address = new URL(String(line).trim())
  const authorization = `Bearer ${address.searchParams.get('token')}`
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(`.${path}`, address), { ...init, headers: { authorization, ...init.headers } })
  return { address, note, ask }
}

const toy = `
import type { Parser } from '@millrace/core/parse'

export const toy: Parser = {
  version: 1,
  losses: {},
  recognize: ({ value }) => (value as { toy?: string }).toy ? { certainty: 1, reason: 'it has a toy' } : undefined,
  create: () => ({
    push: (value) => [
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', delta: (value as { toy: string }).toy },
      { type: 'block-end', blockId: 'b' },
    ],
    end: () => [{ type: 'run-end', outcome: 'success' }],
  }),
}
`
const typed = `
import { type Config, defineConfig } from 'millrace'
import { toy } from './toy.ts'
import { getWire } from '@millrace/core/wire'

const limits: Config['limits'] = { uploadMegabytes: 0.001 }
export default defineConfig({ port: 0, data: 'runs', parsers: { toy }, wires: { plain: getWire('native') }, limits })
`

describe('millrace serve with a file of settings', () => {
  it('takes JSON: the port, the folder beside the file, the token, the base path and the origins', async () => {
    const cwd = project({
      'millrace.config.json': JSON.stringify({
        port: 0,
        data: 'runs',
        token: 'token-of-the-file',
        basePath: '/agents',
        origins: ['https://app.example.com'],
      }),
    })
    const { address, note, ask } = await serving(cwd)
    expect([address.pathname, address.searchParams.get('token')]).toEqual(['/agents/', 'token-of-the-file'])
    expect(note).toContain(join(cwd, 'runs'))
    expect(note).toContain('It has read millrace.config.json.')
    const answer = await ask('/api/threads', { headers: { origin: 'https://app.example.com' } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.com'])
  })

  it('takes TypeScript with defineConfig: parsers, wires and limits', async () => {
    const { ask } = await serving(project({ 'millrace.config.ts': typed, 'toy.ts': toy }))
    const body = '{"toy":"a top"}\n'
    expect((await ask('/api/ingest?format=toy&runId=r', { method: 'POST', body })).status).toBe(200)
    expect(await (await ask('/api/runs/r/stream?wire=plain')).text()).toContain('a top')
    expect((await ask('/api/files', { method: 'POST', body: 'x'.repeat(1_049) })).status).toBe(413)
  })

  it('takes JavaScript, as a module or not; the environment and flags go before it', async () => {
    const cwd = project({ 'millrace.config.js': "module.exports = { port: 1, token: 'file', basePath: '/file' }" })
    const env = { PORT: '2', MILLRACE_TOKEN: 'environment', MILLRACE_BASE_PATH: '/environment' }
    const { address } = await serving(cwd, ['--port', '0', '--base-path', '/flag'], env)
    expect([address.searchParams.get('token'), address.pathname]).toEqual(['environment', '/flag/'])
    writeFileSync(join(cwd, 'other.js'), "export default { port: 0, token: 'other' }")
    const other = await serving(cwd, ['--config', 'other.js', '--data', 'other'])
    expect(other.address.searchParams.get('token')).toBe('other')
    expect(other.note).toContain('It has read other.js.')
  })

  it('answers pages and proxies that flags name, each flag as often as needed', async () => {
    const names = ['--origin', 'http://a.example', '--origin', 'http://b.example', '--host-name', 'mill.example']
    const { ask, note } = await serving(project({}), ['--port', '0', ...names])
    expect(note).not.toContain('It has read')
    for (const origin of ['http://a.example', 'http://b.example'])
      expect((await ask('/api/threads', { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(
        origin,
      )
    expect((await ask('/api/threads', { headers: { origin: 'http://c.example' } })).status).toBe(403)
  })

  it('loads the example of the documentation', async () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
    expect(example).toContain('defineConfig')
    const cwd = project({ 'millrace.config.ts': example, 'toy.ts': toy })
    const { address, ask } = await serving(cwd, ['--port', '0'])
    expect(address.pathname).toBe('/agents/')
    expect((await ask('/api/ingest?format=toy', { method: 'POST', body: '{"toy":"x"}' })).status).toBe(200)
  })

  it.each<[string, { readonly [name: string]: string }, readonly string[]]>([
    [
      'JSON that is none',
      { 'millrace.config.json': '{"port":1,}' },
      ['millrace.config.json is not valid JSON: ', '(line 1 column 11).'],
    ],
    [
      'JSON that Node quotes, which may be a token',
      { 'millrace.config.json': `{\n"token": "${'s'.repeat(30)}"\n,"port": many, "host": "${'h'.repeat(30)}"}` },
      ["is not valid JSON: Unexpected token 'm' (line 3)."],
    ],
    [
      'every problem of a file',
      { 'millrace.config.json': '{"prot":1,"limits":{"uploadMegabytes":"many"}}' },
      [
        'millrace: millrace.config.json: there is no field prot; did you mean port?\n',
        '          millrace.config.json: limits.uploadMegabytes must be a number above 0, not "many".\n',
      ],
    ],
    [
      'two files',
      { 'millrace.config.json': '{}', 'millrace.config.ts': 'export default {}' },
      ['millrace.config.ts and millrace.config.json exist side by side, and only one can be used.'],
    ],
    [
      'a file without a default export',
      { 'millrace.config.js': 'export const port = 1' },
      ['millrace.config.js has no default export.'],
    ],
    [
      'TypeScript that is more than types',
      { 'millrace.config.ts': 'const a = 1\nenum B { C }\nexport default {}' },
      [
        'millrace.config.ts cannot be loaded (line 2): TypeScript enum is not supported',
        'Node only removes the types.',
      ],
    ],
    [
      'a fault in an imported file',
      { 'millrace.config.ts': "import './toy.ts'\nexport default {}", 'toy.ts': '\n\nconst x: = 1' },
      ['millrace.config.ts cannot be loaded (toy.ts, line 3): '],
    ],
    [
      'JavaScript that cannot be parsed',
      { 'millrace.config.js': 'export default {\n  port: = 1 }' },
      ["cannot be loaded (line 2): Unexpected token '='."],
    ],
    ['a throw', { 'millrace.config.ts': "\nthrow new Error('no tide')" }, ['cannot be loaded (line 2): no tide.']],
    [
      'an import that is not there',
      { 'millrace.config.ts': "import './gone.ts'" },
      ['cannot be loaded: Cannot find module', 'gone.ts'],
    ],
  ])('exits with 2 for %s', async (_name, files, sentences) => {
    const { code, stdout, stderr } = await millrace(['serve', '--port', '0'], {
      cwd: project(files),
      env: environment(),
    })
    expect([code, stdout]).toEqual([2, ''])
    for (const sentence of sentences) expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('sss')
    expect(stderr).not.toContain('Warning')
  })

  it.each([
    ['gone.ts', '--config: there is no file gone.ts.'],
    ['settings.yaml', '--config must name a file that ends in .ts, .js or .json, not "settings.yaml".'],
    ['folder.ts', '--config: folder.ts is a folder, not a file.'],
  ])('exits with 2 for --config %s', async (name, sentence) => {
    const cwd = project({})
    mkdirSync(join(cwd, 'folder.ts'))
    for (const args of [['serve'], ['convert', '--to', 'events'], ['detect']]) {
      const { code, stderr } = await millrace([...args, '--config', name], { cwd, env: environment(), stdin: '' })
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    }
  })
})

describe('millrace convert and detect', () => {
  it('use the parsers and wires of the settings, and name them', async () => {
    const cwd = project({ 'millrace.config.ts': typed, 'toy.ts': toy })
    const stdin = '{"toy":"a top"}\n'
    expect((await millrace(['detect'], { cwd, stdin })).stdout).toBe('toy  it has a toy\n')
    for (const from of [[], ['--from', 'toy']]) {
      const { code, stdout } = await millrace(['convert', ...from, '--to', 'plain'], { cwd, stdin })
      expect([code, stdout]).toEqual([0, expect.stringContaining('a top')])
    }
    expect((await millrace(['convert', '--from', 'x', '--to', 'events'], { cwd, stdin })).stderr).toContain(', toy,')
    expect((await millrace(['convert', '--to', 'x'], { cwd, stdin })).stderr).toContain(', plain.')
    const elsewhere = ['--config', join(cwd, 'millrace.config.ts')]
    expect((await millrace(['detect', ...elsewhere], { stdin })).stdout).toBe('toy  it has a toy\n')
  })

  it('do not read JSON, which has nothing for them, unless it is named', async () => {
    const cwd = project({ 'millrace.config.json': '{"prot":1}' })
    expect((await millrace(['detect'], { cwd, stdin: agentLines })).code).toBe(0)
    const named = await millrace(['detect', '--config', 'millrace.config.json'], { cwd, stdin: agentLines })
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('did you mean port?')])
  })
})
