import { createConnection, type Socket } from 'node:net'
import { readingOf } from '@millrace/testkit/repository/reading'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { framesOf } from './frames.ts'
import { createGate, createTiming, type Serving, scripted, started, startServer, text, until } from './serving.ts'

const LARGE = 'x'.repeat(12 * 1024)

/** A log that counts the entries that are read. */
async function countingLog(): Promise<{ readonly log: Log; read(): number }> {
  const log = await memory.open({ folder: '' })
  let read = 0
  const counting = readingOf(log, {
    given({ lines }) {
      read += lines.length
    },
  })
  return { log: counting, read: () => read }
}

/** A client that sends a request and never reads. */
async function stalledViewer({ port, token }: Serving, path: string): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** 18 MB of text, logged at once: more than the socket buffers hold. */
const flood = scripted('flood', async function* () {
  for (let index = 0; index < 1500; index++) yield text(LARGE)
})

describe('viewers', () => {
  it('that do not read pause the log instead of filling the memory, and are disconnected after 30 seconds', async () => {
    const timing = createTiming()
    const { log, read } = await countingLog()
    const server = await startServer({ log, agents: [flood], timing })
    const runId = await started(server)
    await until(async () => (await log.run(runId))?.state === 'ended')
    const total = (await log.run(runId))?.seq ?? 0
    const before = read()
    const socket = await stalledViewer(server, `/api/runs/${runId}/stream`)
    await until(async () => {
      const seen = read()
      await new Promise((resolve) => setTimeout(resolve, 100))
      return seen > before && seen === read()
    })
    // The log yields whole batches; only what the kernel took and one piece has left the process.
    expect(read() - before).toBeLessThan(total)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    timing.advance(29_999)
    expect(socket.destroyed).toBe(false)
    timing.advance(1)
    let received = 0
    socket.on('data', (bytes) => {
      received += bytes.length
    })
    socket.resume()
    await closed
    const whole = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    expect(framesOf(whole)).toHaveLength(total)
    expect(received).toBeLessThan(whole.length)
  })

  it('over WebSocket that do not read are disconnected too', async () => {
    const timing = createTiming()
    const server = await startServer({ agents: [flood], timing })
    const runId = await started(server)
    await until(async () => (await server.log.run(runId))?.state === 'ended')
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/runs/${runId}/ws`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    socket.on('error', () => {})
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 300))
    timing.advance(30_000)
    socket.resume()
    // Closed without a close frame: this was not the end of the stream.
    expect(await closed).toBe(1006)
  })

  it('100 at once, connected at different times, all get the same', async () => {
    const gate = createGate()
    const agent = scripted('steady', async function* () {
      for (let index = 0; index < 50; index++) yield text(`before ${index} `)
      await gate.opened
      for (let index = 0; index < 50; index++) yield text(`after ${index} `)
    })
    const server = await startServer({ agents: [agent] })
    const runId = await started(server)
    const path = `/api/runs/${runId}/stream?wire=ai-sdk`
    const viewers = Array.from({ length: 100 }, async (_, index) => {
      if (index === 50) gate.open()
      return (await server.ask(path)).text()
    })
    const seen = new Set(await Promise.all(viewers))
    expect(seen).toEqual(new Set([await (await server.ask(path)).text()]))
  })

  it('that leave release the log at once', async () => {
    const log = await memory.open({ folder: '' })
    let reading = 0
    const counting = readingOf(log, { opened: () => reading++, closed: () => reading-- })
    const agent = scripted('silent', async function* ({ signal }) {
      yield text('one')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const server = await startServer({ log: counting, agents: [agent] })
    const runId = await started(server)
    const leaving = new AbortController()
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => server.ask(`/api/runs/${runId}/stream`, { signal: leaving.signal })),
    )
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    // All ten share one read of the log.
    await until(() => reading === 1)
    leaving.abort()
    await until(() => reading === 0)
    expect((await log.run(runId))?.state).toBe('live')
  })
})
