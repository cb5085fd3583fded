import { getEventListeners, once } from 'node:events'
import type { Socket } from 'node:net'
import { readingOf } from '@millrace/testkit/repository/reading'
import { describe, expect, it } from 'vitest'
import { createFanOut } from '../src/deliver/fan-out.ts'
import { follow } from '../src/deliver/follow.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { clientFrame, connectRaw, received, upgradeHead } from './raw-socket.ts'
import { createTiming, type Serving, scripted, startServer, text, until } from './serving.ts'

const LARGE = 'x'.repeat(16 * 1024)

/** 4 MB at once, then silence until it is stopped. */
const flooding = scripted('flooding', async function* ({ signal }) {
  for (let nth = 0; nth < 250; nth++) yield text(LARGE)
  yield text('and then nothing')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

/** A log that counts its open readers. */
async function countingLog(): Promise<{ readonly log: Log; open(): number }> {
  const kept = await memory.open({ folder: '' })
  let open = 0
  async function* counted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    open++
    try {
      yield* items
    } finally {
      open--
    }
  }
  const log = readingOf(kept, { opened: () => open++, closed: () => open-- })
  return { log: { ...log, inputs: (runId) => counted(kept.inputs(runId)) }, open: () => open }
}

/** What a viewer sends first. */
type Opening = (server: Serving, runId: string, fileUrl: string) => readonly (string | Uint8Array)[]

const get = ({ port, token }: Serving, path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`
const resume = clientFrame(1, Buffer.from('{"type":"resume","requestId":"r","id":"t","headers":{},"body":{}}'))

const openings: { readonly [name: string]: Opening } = {
  'a stream': (server, runId) => [get(server, `/api/runs/${runId}/stream`)],
  'a stream of a stateful wire': (server, runId) => [get(server, `/api/runs/${runId}/stream?wire=ag-ui`)],
  'a stream from the middle': (server, runId) => [get(server, `/api/runs/${runId}/stream?wire=ai-sdk&after=200.0`)],
  'a chat': (server) => [get(server, '/api/chat/t/stream')],
  'raw records': (server, runId) => [get(server, `/api/runs/${runId}/raw`)],
  'a file': (server, _runId, fileUrl) => [get(server, fileUrl)],
  'a WebSocket': (server, runId) => [upgradeHead(server, `/api/runs/${runId}/ws`)],
  'a WebSocket of a chat': (server) => [upgradeHead(server, '/api/chat/ws'), resume],
  'a WebSocket of a session': (server, runId) => [upgradeHead(server, `/api/v2/ws/t?after=${runId}:0`)],
}

/** When the viewer leaves. */
const moments: { readonly [name: string]: (socket: Socket) => Promise<unknown> } = {
  'before the answer': async (socket) => new Promise((resolve) => socket.write('', resolve)),
  'after the head': (socket) => received(socket, '\r\n\r\n'),
  'during the first bytes': (socket) => received(socket, 'xxxx'),
  'while it does not read': async (socket) => {
    await received(socket, 'xxxx')
    await until(() => socket.readableLength > 0)
  },
}

async function furnished() {
  const { log, open } = await countingLog()
  const timing = createTiming()
  const reports: unknown[] = []
  const server = await startServer({ log, timing, agents: [flooding], report: (error) => reports.push(error) })
  await server.send('POST', '/api/threads/t/runs', { input: 'go', runId: 'r' })
  await until(async () => ((await log.run('r'))?.rawRecords ?? 0) > 250)
  const upload = await server.ask('/api/files', { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) })
  const { url } = (await upload.json()) as { url: string }
  await until(() => open() === 0)
  return { server, url, reports, timers: timing.pending(), open, timing }
}

describe('a viewer that leaves', () => {
  it('of any kind, at any moment and again and again, leaves nothing behind', async () => {
    const { server, url, reports, timers, open, timing } = await furnished()
    for (const [name, opening] of Object.entries(openings)) {
      for (const [moment, wait] of Object.entries(moments)) {
        for (const isReset of [false, true]) {
          const socket = connectRaw(server.port)
          await once(socket, 'connect')
          for (const part of opening(server, 'r', url)) socket.write(part)
          await wait(socket)
          if (isReset) socket.resetAndDestroy()
          else socket.destroy()
          await until(() => open() === 0 && timing.pending() === timers).catch(() => {
            throw new Error(`${name}, ${moment}: ${open()} readers, ${timing.pending() - timers} timers are left`)
          })
        }
      }
    }
    expect(reports).toEqual([])
    expect((await server.log.run('r'))?.state).toBe('live')
  })

  it('asks for the head of a live stream, as often as it likes, and keeps no reader', async () => {
    const { server, open, timers, timing } = await furnished()
    for (const path of ['/api/runs/r/stream', '/api/runs/r/stream?wire=ag-ui', '/api/chat/t/stream']) {
      for (let time = 0; time < 3; time++) {
        const response = await server.ask(path, { method: 'HEAD' })
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
        await until(() => open() === 0 && timing.pending() === timers)
      }
    }
  })

  it('asks for heads and then for more on one connection, and is answered', async () => {
    const { server } = await furnished()
    for (const path of ['/api/runs/r/stream', '/api/runs/r/stream?wire=ag-ui', '/api/chat/t/stream']) {
      const socket = connectRaw(server.port)
      await once(socket, 'connect')
      for (let time = 0; time < 2; time++) {
        socket.write(get(server, path, 'HEAD'))
        expect(await received(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/)
      }
      socket.write(get(server, '/api/health'))
      expect(await received(socket, '}')).toContain('application/json')
      socket.destroy()
    }
  })

  it('one run after the other on one connection leaves no listener on the connection', async () => {
    const { server } = await furnished()
    await server.send('POST', '/api/runs/r/stop', {})
    const fanOut = createFanOut(server.log)
    const { signal } = new AbortController()
    for (let time = 0; time < 3; time++) {
      await follow(fanOut, { runId: 'r', threadId: 't', wire: 'native', signal }, () => undefined)
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    }
  })

  it('after the end of the run has been sent its end, and leaves nothing behind', async () => {
    const { server, open, timers, timing } = await furnished()
    await server.send('POST', '/api/runs/r/stop', {})
    for (let time = 0; time < 3; time++) {
      const whole = await (await server.ask('/api/runs/r/stream')).text()
      expect(whole.match(/"type":"run-end"/g)).toHaveLength(1)
      await until(() => open() === 0 && timing.pending() === timers)
    }
  })
})
