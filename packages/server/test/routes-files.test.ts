import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFiles } from '../src/files/files.ts'
import { createSocketChat } from './chat-client.ts'
import { talking } from './scripted-agents.ts'
import { type Serving, scripted, startServer, text } from './serving.ts'

interface Stored {
  readonly id: string
  readonly url: string
  readonly size: number
  readonly mediaType: string
  readonly filename?: string
}

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)

const BINARY = 'application/octet-stream'

async function stored({ ask }: Serving, mediaType: string): Promise<Stored> {
  const init = { method: 'POST', body: bytes, headers: { 'content-type': mediaType } }
  return (await (await ask('/api/files', init)).json()) as Stored
}

describe('files', () => {
  it('are returned as they were sent, as an attachment of their own type', async () => {
    const server = await startServer()
    const stored = (await (
      await server.ask(`/api/files?filename=${encodeURIComponent('../../bär"\r\n.png')}`, {
        method: 'POST',
        body: bytes,
        headers: { 'content-type': 'image/png' },
      })
    ).json()) as Stored
    expect(stored).toMatchObject({ size: bytes.length, mediaType: 'image/png', url: `/api/files/${stored.id}` })
    expect(stored.id).toMatch(/^[0-9a-f]{32}$/)
    const response = await server.ask(stored.url)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': "attachment; filename*=UTF-8''..%2F..%2Fb%C3%A4r%22%0D%0A.png",
      'x-content-type-options': 'nosniff',
    })
    expect(await readdir(join(server.dataFolder, 'files'))).toEqual([stored.id, `${stored.id}.json`])
  })

  it('with a type that is not a valid header value are served as bytes, however they are uploaded', async () => {
    const server = await startServer({ agents: [talking] })
    const mediaType = 'image/png；x'
    const url = 'data:image/png;base64,aGk='
    const words = { type: 'text', text: 'look' }
    const chat = (id: string) => ({
      id,
      messages: [{ id: 'm', role: 'user', parts: [words, { type: 'file', mediaType, filename: 'a', url }] }],
    })
    await (await server.send('POST', '/api/chat', chat('over-http'))).text()
    const socket = createSocketChat(server, 'over-socket')
    await socket.chat.sendMessage({ text: 'look', files: [{ type: 'file', mediaType, filename: 'a', url }] })
    const image = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: mediaType } }
    const messages = [{ id: 'm', role: 'user', content: [words, image] }]
    await (await server.send('POST', '/api/ag-ui/talking', { threadId: 'over-ag-ui', runId: 'r', messages })).text()
    for (const thread of ['over-http', 'over-socket', 'over-ag-ui']) {
      const path = /\/api\/files\/[0-9a-f]{32}/.exec(await (await server.ask(`/api/threads/${thread}`)).text())?.[0]
      const response = await server.ask(path ?? thread)
      expect([thread, response.status, response.headers.get('content-type'), await response.text()]).toEqual([
        thread,
        200,
        BINARY,
        'hi',
      ])
    }
    const folder = join(server.dataFolder, 'files')
    const infos = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    const kept = await Promise.all(infos.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
    expect(kept.map(({ mediaType }) => mediaType)).toEqual([BINARY, BINARY, BINARY])
  })

  it('that were stored with such a type by an earlier version are served as bytes', async () => {
    const server = await startServer()
    const { id, url } = await stored(server, 'image/png')
    const path = join(server.dataFolder, 'files', `${id}.json`)
    await writeFile(path, (await readFile(path, 'utf8')).replace('image/png', 'image/png；x'))
    const response = await server.ask(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, BINARY])
    expect(await createFiles(server.dataFolder).find(id)).toMatchObject({ id, mediaType: BINARY })
  })

  it.each([
    ['image/png', 'image/png'],
    ['image/jpeg', 'image/jpeg'],
    ['image/gif', 'image/gif'],
    ['image/webp', 'image/webp'],
    ['image/avif', 'image/avif'],
    ['video/mp4', 'video/mp4'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['image/svg+xml', BINARY],
    ['text/html', BINARY],
    ['TEXT/HTML; charset=utf-8', BINARY],
    ['text/javascript', BINARY],
    ['application/xhtml+xml', BINARY],
    ['text/xml', BINARY],
    ['application/pdf', BINARY],
    ['image/pngx', BINARY],
  ])('of type %s are served as %s, and never sniffed', async (type, served) => {
    const server = await startServer()
    const { mediaType, url } = await stored(server, type)
    const { headers } = await server.ask(url)
    expect([mediaType, headers.get('content-type')]).toEqual([type, served])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('are cached by a browser only while they exist', async () => {
    const server = await startServer()
    const { id, url } = await stored(server, 'image/png')
    const { headers } = await server.ask(url)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    expect((await server.ask(url, again)).status).toBe(304)
    await rm(join(server.dataFolder, 'files', `${id}.json`))
    expect((await server.ask(url, again)).status).toBe(404)
  })

  it('without their bytes are reported and cut off, and other requests work', async () => {
    const reported: unknown[] = []
    const server = await startServer({ report: (error) => reported.push(error) })
    const { id, url } = await stored(server, 'image/png')
    await rm(join(server.dataFolder, 'files', id))
    await expect(server.ask(url).then((response) => response.text())).rejects.toThrow()
    expect(String(reported)).toContain('ENOENT')
    expect((await server.ask('/api/health')).status).toBe(200)
  })

  it('are also accepted from a form', async () => {
    const server = await startServer()
    const form = new FormData()
    form.set('note', 'no file')
    form.set('file', new File(['<script>'], 'page.html', { type: 'text/html' }))
    const stored = (await (await server.ask('/api/files', { method: 'POST', body: form })).json()) as Stored
    expect(stored).toMatchObject({ mediaType: 'text/html', filename: 'page.html', size: 8 })
    const { headers } = await server.ask(stored.url)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  it('are given to an agent by id', async () => {
    const agent = scripted('reader', async function* ({ input }) {
      yield text(JSON.stringify(input.files))
    })
    const server = await startServer({ agents: [agent] })
    const { id } = (await (
      await server.ask('/api/files?filename=a.txt', {
        method: 'POST',
        body: 'abc',
        headers: { 'content-type': 'text/plain' },
      })
    ).json()) as Stored
    const started = await server.send('POST', '/api/threads/t/runs', { input: { text: 'read', files: [{ id }] } })
    const { runId } = (await started.json()) as { runId: string }
    const stream = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    expect(stream).toContain(`"fileId":"${id}"`)
    expect(stream).toContain('\\"mediaType\\":\\"text/plain\\"')
    const unknown = await server.send('POST', '/api/threads/t/runs', { input: { text: '', files: [{ id: 'x' }] } })
    expect(unknown.status).toBe(400)
  })

  it.each([
    '../token',
    '..%2ftoken',
    '%2e%2e%2ftoken',
    '..%5ctoken',
    '%00',
    'a'.repeat(32),
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'A'.repeat(32),
  ])('are not found under %j', async (id) => {
    const server = await startServer()
    expect((await server.ask(`/api/files/${id}`)).status).toBe(404)
  })

  it('larger than 64 MB are refused, and leave nothing behind', async () => {
    const server = await startServer()
    const declared = await server
      .ask('/api/files', { method: 'POST', body: new Uint8Array(64 * 1024 * 1024 + 1) })
      .then(({ status }) => status)
    expect(declared).toBe(413)
    const mebibyte = new Uint8Array(1024 * 1024)
    async function* drip(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 80; index++) yield mebibyte
    }
    const refused = server.ask('/api/files', {
      method: 'POST',
      body: ReadableStream.from(drip()),
      duplex: 'half',
    } as RequestInit)
    // The client may or may not read the response; the refusal is certain.
    await refused.then(({ status }) => expect(status).toBe(413)).catch(() => undefined)
    expect(await readdir(join(server.dataFolder, 'files'))).toEqual([])
    expect((await server.ask('/api/health')).status).toBe(200)
  })

  it('are deleted with the last thread that names them, and not before', async () => {
    const server = await startServer({ agents: [scripted('echo', async function* () {})] })
    const upload = async () =>
      (await (await server.ask('/api/files', { method: 'POST', body: bytes })).json()) as Stored
    const [own, shared, unnamed] = [await upload(), await upload(), await upload()]
    const run = async (thread: string, ...files: Stored[]) => {
      const input = { text: 'see', files: files.map(({ id }) => ({ id })) }
      const started = await server.send('POST', `/api/threads/${thread}/runs`, { input })
      const { runId } = (await started.json()) as { readonly runId: string }
      await (await server.ask(`/api/runs/${runId}/stream`)).text()
    }
    const statuses = () =>
      Promise.all([own, shared, unnamed].map(async ({ url }) => (await server.ask(url, { method: 'HEAD' })).status))
    await run('one', own, shared)
    await run('two', shared)
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await server.ask('/api/threads/one', { method: 'DELETE' })).status).toBe(204)
    expect(await statuses()).toEqual([404, 200, 200])
    expect((await server.ask('/api/threads/two', { method: 'DELETE' })).status).toBe(204)
    expect(await statuses()).toEqual([404, 404, 200])
    expect(await readdir(join(server.dataFolder, 'files'))).toEqual([unnamed.id, `${unnamed.id}.json`])
  })

  it('of a thread that was deleted just before the server died are removed at the next start', async () => {
    const first = await startServer()
    const stored = (await (await first.ask('/api/files', { method: 'POST', body: bytes })).json()) as Stored
    const { log, dataFolder } = first
    await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    const file = { type: 'file', fileId: stored.id, url: stored.url, mediaType: 'text/plain' } as const
    const events = [file, { type: 'run-end', outcome: 'success' } as const]
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events })
    await log.deleteThread('t')
    const second = await startServer({ log, dataFolder })
    expect((await second.ask(stored.url)).status).toBe(404)
    expect(await log.unusedFiles()).toEqual([])
  })
})
