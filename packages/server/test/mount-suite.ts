import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { readingOf } from '@millrace/testkit/repository/reading'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { createServer, type Server } from '../src/server.ts'
import { createChatClient, partsOf } from './chat-client.ts'
import { framesOf, reading } from './frames.ts'
import { until } from './serving.ts'

type Headers = { readonly [name: string]: string }

/** A host that has mounted the handler. */
interface Mounted {
  /** The address of the API, with the base path. */
  readonly url: string
  /** Headers that grant access. */
  readonly headers: Headers
  close(): Promise<void>
}

interface MountOptions {
  readonly mount: (settings: { readonly log: Log; readonly dataFolder: string }) => Promise<Mounted>
  readonly sockets: 'served' | 'refused'
  /** A part of the text that the host's own agent sends. */
  readonly says: string
}

const TOKEN = 'the-server-beside-it'
const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))
const wireNames = Object.keys(wires)

/** The handler's promises in any host: the same responses as a stand-alone server with the same log. */
export function mountSuite(name: string, { mount, sockets, says }: MountOptions): void {
  describe(`mounted in ${name}`, () => {
    let folder: string
    let log: Log & { watching(): number }
    let mounted: Mounted
    let server: Server
    let runId: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'millrace-mount-'))
      log = watched(await memory.open({ folder }))
      mounted = await mount({ log, dataFolder: folder })
      server = await createServer({ log, agents: [], dataFolder: folder, token: TOKEN, port: 0, stopWithin: 50 })
      const body = recording?.bytes as NonNullable<RequestInit['body']>
      const answer = await ask('/api/ingest?format=agent-lines', { method: 'POST', body })
      expect(answer.status).toBe(200)
      runId = ((await answer.json()) as { runId: string }).runId
    })
    afterAll(async () => {
      await mounted.close()
      await server.close()
      await log.close()
      await rm(folder, { recursive: true, force: true })
    })

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${mounted.url}${path}`, { ...init, headers: { ...mounted.headers, ...init.headers } })
    const askServer = (path: string, headers: Headers = {}) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } })
    const open = (path: string, headers: Headers) => {
      const socket = new WebSocket(`${mounted.url.replace('http', 'ws')}${path}`, { headers })
      return socket.on('error', () => {})
    }

    it.each(wireNames)('streams %s with the same bytes as the server, and forbids buffering', async (wire) => {
      const path = `/api/runs/${runId}/stream?wire=${wire}`
      const [ours, theirs] = await Promise.all([ask(path), askServer(path)])
      for (const header of ['content-type', 'cache-control', 'x-accel-buffering', 'content-security-policy']) {
        expect([header, ours.headers.get(header)]).toEqual([header, theirs.headers.get(header)])
      }
      const [text, expected] = await Promise.all([ours.text(), theirs.text()])
      expect(framesOf(expected).length).toBeGreaterThan(5)
      expect(text).toBe(expected)
    })

    it.each(wireNames)('resumes %s after the Last-Event-ID', async (wire) => {
      const path = `/api/runs/${runId}/stream?wire=${wire}`
      const frames = framesOf(await (await ask(path)).text())
      const placed = frames.flatMap(({ id }, at) => (id === undefined ? [] : [{ id, at }]))
      for (const { id, at } of placed.filter((_, index) => index % 7 === 0 || index === placed.length - 1)) {
        const headers = { 'last-event-id': id }
        const [ours, theirs] = await Promise.all([ask(path, { headers }), askServer(path, headers)])
        expect(ours.status).toBe(theirs.status)
        const text = await ours.text()
        expect(text).toBe(await theirs.text())
        const rest = frames.slice(at + 1)
        // The mark of the end is for whoever still reads: a client that has every chunk gets 204.
        expect(framesOf(text)).toEqual(rest.some((frame) => frame.id !== undefined) ? rest : [])
      }
    })

    it('logs a body while it arrives, streams it, and releases a viewer that leaves', async () => {
      const body = new TransformStream<Uint8Array, Uint8Array>()
      const writer = body.writable.getWriter()
      const say = (content: string) =>
        writer.write(new TextEncoder().encode(`${JSON.stringify({ type: 'text', data: { content } })}\n`))
      const init = { method: 'POST', body: body.readable, duplex: 'half' } as RequestInit
      const answered = ask('/api/ingest?format=agent-lines&runId=arriving', init)
      void say('first words')
      await until(async () => (await log.run('arriving')) !== undefined)
      const viewer = reading(await ask('/api/runs/arriving/stream'))
      await viewer.until('first words')
      void say('second words')
      await viewer.until('second words')
      expect(log.watching()).toBe(1)
      await viewer.leave()
      await until(() => log.watching() === 0)
      await writer.close()
      expect(await (await answered).json()).toMatchObject({ runId: 'arriving', rawRecords: 2 })
    })

    it('keeps the run of an interrupted producer open', async () => {
      const broken = new AbortController()
      const body = new TransformStream<Uint8Array, Uint8Array>()
      void body.writable.getWriter().write(new TextEncoder().encode('{"type":"text","data":{"content":"I am"}}\n{"ty'))
      const init = { method: 'POST', body: body.readable, duplex: 'half', signal: broken.signal } as RequestInit
      const answered = ask('/api/ingest?format=agent-lines&runId=breaking', init).catch(() => 'broken off')
      await until(async () => (await log.run('breaking'))?.rawRecords === 1)
      broken.abort()
      expect(await answered).toBe('broken off')
      await until(async () => (await log.run('breaking'))?.state === 'waiting')
    })

    it("answers the AI SDK's chat with its own agent", async () => {
      const client = createChatClient({ ...mounted, token: '' }, 'chat-1')
      await client.chat.sendMessage({ text: 'spring barley' })
      expect([client.chat.error, client.chat.status]).toEqual([undefined, 'ready'])
      expect(JSON.stringify(partsOf(client, 'assistant'))).toContain(says)
    })

    it('refuses requests without access, from foreign origins and with foreign host names', async () => {
      const paths = ['/api/threads', `/api/runs/${runId}/stream`, '/api/nowhere']
      for (const path of paths) expect((await fetch(`${mounted.url}${path}`)).status).toBe(401)
      expect((await fetch(`${mounted.url}/api/chat`, { method: 'POST', body: '{}' })).status).toBe(401)
      expect((await ask('/api/threads', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
      expect(await statusFor(`${mounted.url}/api/threads`, { ...mounted.headers, host: 'evil.example' })).toBe(403)
      expect((await fetch(`${mounted.url}/api/health`)).status).toBe(200)
    })

    it('handles a request that offers another protocol, such as curl --http2, as a plain one', async () => {
      const offer = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      }
      expect(await statusFor(`${mounted.url}/api/threads`, { ...mounted.headers, ...offer })).toBe(200)
      expect(await statusFor(`${mounted.url}/api/threads`, offer)).toBe(401)
    })

    if (sockets === 'served') {
      it('connects WebSockets that have access', async () => {
        const path = `/api/runs/${runId}/ws?wire=native`
        const socket = open(path, mounted.headers)
        const seen: string[] = []
        socket.on('message', (data) => seen.push(JSON.stringify(JSON.parse(String(data)).chunk)))
        expect((await once(socket, 'close'))[0]).toBe(1000)
        expect(seen).toEqual(framesOf(await (await ask(path.replace('/ws', '/stream'))).text()).map(({ data }) => data))
        expect((await refusal(open(path, {}))).status).toBe(401)
        const foreign = { ...mounted.headers, origin: 'https://evil.example' }
        expect((await refusal(open(path, foreign))).status).toBe(403)
      })
    } else {
      it('explains why there is no WebSocket, and what to use instead', async () => {
        const { status, text } = await refusal(open(`/api/runs/${runId}/ws`, mounted.headers))
        expect(status).toBe(501)
        expect(JSON.parse(text).error).toMatchObject({
          code: 'no-websocket',
          message: expect.stringContaining('/stream'),
        })
        expect((await refusal(open(`/api/runs/${runId}/ws`, {}))).status).toBe(401)
      })
    }
  })
}

async function refusal(socket: WebSocket): Promise<{ readonly status: number; readonly text: string }> {
  const [, response] = await once(socket, 'unexpected-response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode, text }
}

/** Uses Node's own client: `fetch` cannot set the host name. */
async function statusFor(url: string, headers: Headers): Promise<number> {
  const asked = request(url, { headers }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

/** Counts the readers of a live run. */
function watched(log: Log): Log & { watching(): number } {
  let count = 0
  const counted = readingOf(log, { opened: () => count++, closed: () => count-- })
  return { ...counted, watching: () => count }
}
