import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scripted, startServer, text } from './serving.ts'

interface Stored {
  readonly id: string
  readonly url: string
  readonly size: number
  readonly mediaType: string
  readonly filename?: string
}

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251)

describe('files', () => {
  it('come back as they were sent, as an attachment of their own type', async () => {
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

  it('are taken from a form, too', async () => {
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

  it('are given to an agent by their ids', async () => {
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
    // Whether the client still reads the answer is up to it; that it is refused is not.
    await refused.then(({ status }) => expect(status).toBe(413)).catch(() => undefined)
    expect(await readdir(join(server.dataFolder, 'files'))).toEqual([])
    expect((await server.ask('/api/health')).status).toBe(200)
  })
})
