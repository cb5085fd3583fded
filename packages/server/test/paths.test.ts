import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '../src/api/routes/index.ts'
import { socketRoutes } from '../src/api/sockets/index.ts'
import { connectRaw } from './raw-socket.ts'
import { type Serving, startServer } from './serving.ts'

const SECRET = 'grain-behind-the-wall'
const folder = mkdtempSync(join(tmpdir(), 'millrace-paths-'))
const appFolder = join(folder, 'dist')
const dataFolder = join(appFolder, '..', 'data')
for (const name of ['dist/assets', 'dist-secret', 'distant', 'data/files'])
  mkdirSync(join(folder, name), { recursive: true })
for (const name of [
  'secret.txt',
  'dist-secret/secret.txt',
  'distant/secret.txt',
  'data/secret.txt',
  'data/files/secret.txt',
])
  writeFileSync(join(folder, name), SECRET)
writeFileSync(join(appFolder, 'index.html'), '<title>App</title>')
writeFileSync(join(appFolder, 'assets', 'index-DBa5A_YJ.js'), 'export {}')
afterAll(() => rmSync(folder, { recursive: true }))

const ups = ['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..;', '...', '%c0%ae%c0%ae', '\\..']
const slashes = ['/', '//', '%2f', '%2F', '\\', '%5c', '%252f', '/./']
const targets = [
  'secret.txt',
  'dist-secret/secret.txt',
  'distant/secret.txt',
  'data/secret.txt',
  'data/files/secret.txt',
]
const odd = [
  '%00',
  'secret.txt%00.js',
  '%ff',
  '%',
  '%zz',
  '%0d%0aset-cookie:x=1',
  '.',
  'x.',
  'x...',
  '~root',
  'CON',
  'secret.txt::$DATA',
  '*',
  '__proto__',
  'constructor',
  `${'a/'.repeat(3_000)}`,
  'x'.repeat(12_000),
]

/** Ways from a folder, or a folder within it, to a file outside. */
const ways = [
  ...ups.flatMap((up) => slashes.flatMap((slash) => targets.map((target) => `${up}${slash}${target}`))),
  ...slashes.map((slash) => ['..', '..', 'secret.txt'].join(slash)),
  ...slashes.map((slash) => ['assets', '..', '..', 'secret.txt'].join(slash)),
  `${folder}/secret.txt`,
  encodeURIComponent(`${folder}/secret.txt`),
  `/${folder}/secret.txt`,
  `file://${folder}/secret.txt`,
  ...odd,
]

/** The answers to requests that are written as they are, all on one connection. */
async function answersTo(
  server: Serving,
  lines: readonly string[],
  host = `127.0.0.1:${server.port}`,
): Promise<readonly { status: number; text: string }[]> {
  const socket = connectRaw(server.port).setEncoding('latin1')
  const fields = `host: ${host}\r\nauthorization: Bearer ${server.token}\r\n`
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  for (const [index, line] of lines.entries()) {
    const end = index === lines.length - 1 ? 'connection: close\r\n' : ''
    socket.write(`${line} HTTP/1.1\r\n${fields}${end}\r\n`, 'latin1')
  }
  await new Promise((resolve) => socket.once('close', resolve))
  return text.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => ({ status: Number(answer.slice(9, 12)), text: answer }))
}

/** Sends each request; a malformed one may end its connection, so that one is tried again by itself. */
async function problemsOf(server: Serving, lines: readonly string[]): Promise<unknown[]> {
  const problems: unknown[] = []
  for (let from = 0; from < lines.length; from += 50) {
    const batch = lines.slice(from, from + 50)
    let answers = await answersTo(server, batch)
    if (answers.length !== batch.length)
      answers = (await Promise.all(batch.map((line) => answersTo(server, [line])))).flat()
    if (answers.length !== batch.length) problems.push([batch, answers.length])
    for (const [index, { status, text }] of answers.entries()) {
      if (text.includes(SECRET) || text.includes(server.token)) problems.push([batch[index], 'the secret'])
      if (!(status >= 200 && status < 500)) problems.push([batch[index], status])
      if (/^set-cookie: x/im.test(text)) problems.push([batch[index], 'a header'])
    }
  }
  return problems
}

describe('a path', () => {
  it('SECURITY 17: never leads out of the folder of the app, in no spelling', async () => {
    const server = await startServer({ appFolder })
    const roots = ['/', '/assets/', '//', '/./', '/threads/']
    const lines = roots.flatMap((root) => ways.map((way) => `GET ${root}${way}`))
    expect(await problemsOf(server, lines)).toEqual([])
    expect((await server.ask('/assets/index-DBa5A_YJ.js')).status).toBe(200)
  })

  it('SECURITY 12, 17: of any route with any id is answered, never with a file, never with 5xx', async () => {
    const failures: unknown[] = []
    const server = await startServer({ appFolder, dataFolder, report: (error) => failures.push(error) })
    const ids = [...ups.map((up) => `${up}%2fsecret.txt`), ...ups.map((up) => `${up}/secret.txt`), 'secret.txt', ...odd]
    const lines = routes
      .filter(({ path }) => path.includes(':'))
      .flatMap(({ method, path }) => ids.map((id) => `${method} ${path.replaceAll(/:\w+/g, id.replace(/\/$/, ''))}`))
    expect(await problemsOf(server, lines)).toEqual([])
    expect(failures).toEqual([])
  })

  it('in absolute form is that of the same route, and only under a name of the server', async () => {
    const server = await startServer({ appFolder })
    const statusFor = async (target: string) => (await answersTo(server, [`GET ${target}`]))[0]?.status
    const own = `http://127.0.0.1:${server.port}`
    expect(await statusFor(`${own}/api/threads`)).toBe(200)
    const [foreign] = await answersTo(server, [`GET ${own}/api/threads`], 'evil.example')
    expect(foreign?.status).toBe(403)
    for (const target of [
      'http://evil.example/api/threads',
      `http://evil.example:${server.port}/api/threads`,
      `http://127.0.0.1.evil.example/api/threads`,
      'https://evil.example/',
    ])
      expect([target, await statusFor(target)]).toEqual([target, 403])
    for (const target of ['file:///etc/passwd', 'evil:nonsense']) expect([400, 403]).toContain(await statusFor(target))
    expect(
      await problemsOf(
        server,
        ways.map((way) => `GET ${own}/${way}`),
      ),
    ).toEqual([])
  })

  it('of a WebSocket with any id is refused, and the server stays up', async () => {
    const failures: unknown[] = []
    const server = await startServer({ report: (error) => failures.push(error) })
    const handshake = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
    for (const { path } of socketRoutes.filter((route) => route.path.includes(':'))) {
      for (const id of [...ups.map((up) => `${up}%2fx`), ...odd]) {
        const target = path.replace(':id', id.replace(/\/$/, ''))
        const [answer] = await answersTo(server, [
          [`GET ${target} HTTP/1.1`, ...handshake, `${key}\r\nx: `].join('\r\n'),
        ])
        expect([target.slice(0, 80), [400, 404, 431].includes(answer?.status ?? 0)]).toEqual([
          target.slice(0, 80),
          true,
        ])
      }
    }
    expect(failures).toEqual([])
    expect((await server.ask('/api/health')).status).toBe(200)
  })
})
