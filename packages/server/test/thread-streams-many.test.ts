import { describe, expect, it, vi } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { readingEvents } from './event-frames.ts'
import { connectRaw, received } from './raw-socket.ts'
import { createTiming, type Serving, startServer, until } from './serving.ts'

const EVENTS = { headers: { accept: 'text/event-stream' } }
const ofThread = async ({ ask }: Serving, id: string) => readingEvents(await ask(`/api/threads/${id}/stream`))
const ofList = async ({ ask }: Serving, query = '') => readingEvents(await ask(`/api/threads${query}`, EVENTS))

/** A log in memory that counts its watchers and its reads. */
async function countedLog() {
  const kept = await memory.open({ folder: '' })
  let watchers = 0
  const watch: Log['watch'] = (subject, listener) => {
    // The sweep's own watch is no viewer's.
    if (subject === 'expired') return kept.watch(subject, listener)
    watchers++
    const stop = kept.watch(subject, listener)
    return () => {
      watchers--
      stop()
    }
  }
  const [runs, threads] = [vi.fn(kept.runs), vi.fn(kept.threads)]
  return { log: { ...kept, watch, runs, threads }, watchers: () => watchers, runs, threads }
}

describe('many viewers', () => {
  it('share each look and its watch, and leave none behind', async () => {
    const { log, watchers, runs, threads } = await countedLog()
    const server = await startServer({ log })
    await server.send('POST', '/api/threads', { id: 't' })
    const streams = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? ofThread(server, 't') : ofList(server))),
    )
    await Promise.all(streams.map((stream, index) => stream.untilEvent(index % 2 === 0 ? 'thread' : 'threads')))
    expect(watchers()).toBe(2)
    runs.mockClear()
    threads.mockClear()
    await server.send('PATCH', '/api/threads/t', { title: 'Two' })
    await Promise.all(streams.map((stream) => stream.until('"Two"')))
    expect([runs.mock.calls.length <= 2, threads.mock.calls.length <= 2]).toEqual([true, true])
    for (const stream of streams) await stream.leave()
    await until(() => watchers() === 0)
  })

  it('that do not read get the newest state later, not each change, and are cut if they never do', async () => {
    const timing = createTiming()
    const { log, watchers } = await countedLog()
    const server = await startServer({ log, timing })
    // A page has 4 MB: more than the buffers between a server and its client hold.
    const large = 'x'.repeat(40_000)
    const ids = Array.from({ length: 100 }, (_, index) => `t${index}`)
    for (const id of ids) await log.createThread({ id, title: large })
    const socket = connectRaw(server.port)
    const head = [
      'GET /api/threads?limit=100 HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'accept: text/event-stream',
      `authorization: Bearer ${server.token}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await received(socket, 'event: threads')
    const renameAll = async (rounds: number) => {
      for (let round = 1; round <= rounds; round++) {
        for (const id of ids) await log.renameThread(id, `${large}${round}`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await renameAll(10)
    let size = 0
    let end = ''
    socket.on('data', (bytes) => {
      size += bytes.length
      end = `${end}${bytes}`.slice(-60_000)
    })
    socket.resume()
    await until(() => end.includes('x10"'))
    expect(size).toBeLessThan(3.5 * ids.length * large.length)
    socket.pause()
    await renameAll(3)
    timing.advance(30_000)
    await until(() => watchers() === 0)
    socket.destroy()
  })
})
