import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerWire } from '@millrace/core/wire'
import { native } from '@millrace/core/wire/native'
import { readingOf } from '@millrace/testkit/repository/reading'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFanOut } from '../src/deliver/fan-out.ts'
import type { Sink } from '../src/deliver/sink.ts'
import { streamRun } from '../src/deliver/sse.ts'
import { createHandler } from '../src/handler.ts'
import { LogError } from '../src/log/errors.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { framesOf } from './frames.ts'
import { closing, connectRaw } from './raw-socket.ts'
import { createTiming, ingested, startServer, until } from './serving.ts'

const LINES = '{"type":"text","data":{"content":"one"}}\n{"type":"done","data":{}}\n'

describe('a fault of one', () => {
  it('in a write cuts that viewer, is thrown, and leaves no timer, listener or reader', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', LINES)
    let readers = 0
    const log = readingOf(server.log, { opened: () => readers++, closed: () => readers-- })
    const fanOut = createFanOut(log)
    // The first write is that of the status.
    for (const nth of [1, 2, 1, 2]) {
      const timing = createTiming()
      const gone = new AbortController()
      const fault = new Error('the socket is broken')
      let [writes, cuts, listeners] = [0, 0, 0]
      const sink: Sink = {
        closed: gone.signal,
        open() {},
        write() {
          writes++
          if (writes === nth) throw fault
          return true
        },
        drained: async () => {},
        end() {},
        cut() {
          cuts++
          gone.abort()
        },
      }
      const status = {
        first: () => ({ state: 'live' }) as const,
        listen() {
          listeners++
          return () => {
            listeners--
          }
        },
      }
      const watch = { runId, threadId: 't', wire: 'native' }
      const streaming = streamRun({ fanOut, ...watch, sink, timing, status })
      await expect(streaming).rejects.toThrow(fault)
      await until(() => readers === 0)
      expect([cuts > 0, listeners, timing.pending()]).toEqual([true, 0, 0])
    }
  })

  it('in a wire is reported each time, and other viewers of the run get all of it each time', async () => {
    let pushes = 0
    const { sendsEntries: _stored, ...formatted } = native
    const remove = registerWire('sometimes', {
      ...formatted,
      create(options) {
        const state = native.create(options)
        return {
          ...state,
          push(entry) {
            pushes++
            if (pushes % 3 === 0) throw new Error(`fault ${pushes}`)
            return state.push(entry)
          },
        }
      },
    })
    onTestFinished(remove)
    const reports: unknown[] = []
    const server = await startServer({ report: (error) => reports.push(error) })
    const runId = await ingested(server, 'agent-lines', LINES)
    const whole = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    for (let time = 1; time <= 3; time++) {
      await expect((await server.ask(`/api/runs/${runId}/stream?wire=sometimes`)).text()).rejects.toThrow()
      expect(reports).toHaveLength(time)
      expect(await (await server.ask(`/api/runs/${runId}/stream`)).text()).toBe(whole)
    }
  })

  it('of the log cuts the viewers that wait for it; the next ones read again', async () => {
    const kept = await memory.open({ folder: '' })
    let isBroken = false
    const log: Log = {
      ...kept,
      async *lines(...asked) {
        if (isBroken) throw new LogError('log-failed', 'the disk is gone')
        yield* kept.lines(...asked)
      },
    }
    const reports: unknown[] = []
    const server = await startServer({ log, report: (error) => reports.push(error) })
    const runId = await ingested(server, 'agent-lines', LINES)
    for (let time = 0; time < 3; time++) {
      isBroken = true
      const broken = await Promise.allSettled(
        [1, 2].map(async () => (await server.ask(`/api/runs/${runId}/stream`)).text()),
      )
      expect(broken.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      isBroken = false
      const frames = framesOf(await (await server.ask(`/api/runs/${runId}/stream`)).text())
      expect(frames.at(-1)?.data).toContain('run-end')
    }
    expect(reports).toEqual([])
  })
})

describe('a body that fails half-way', () => {
  it('leaves nothing, and the next one of the same kind is taken, on Node and on the web', async () => {
    const server = await startServer()
    const fields = `host: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${server.token}\r\ncontent-length: 1000\r\n`
    const count = async () => (await readdir(join(server.dataFolder, 'files')).catch(() => [])).length
    for (let time = 1; time <= 3; time++) {
      for (const path of ['/api/files', '/api/threads']) {
        const socket = connectRaw(server.port)
        socket.write(`POST ${path} HTTP/1.1\r\n${fields}\r\n{"id":"half`)
        await until(async () => path !== '/api/files' || (await count()) === 2 * (time - 1) + 1)
        socket.destroy()
        await closing(socket)
      }
      await until(async () => (await count()) === 2 * (time - 1))
      expect((await server.ask('/api/files', { method: 'POST', body: 'whole' })).status).toBe(201)
      expect((await server.send('POST', '/api/threads', { id: `whole-${time}` })).status).toBe(201)
    }
    expect((await server.log.threads({ limit: 10 })).items).toHaveLength(3)
  })

  it('of a web request is answered with 400 each time', async () => {
    const log = await memory.open({ folder: '' })
    const reports: unknown[] = []
    const handler = await createHandler({
      log,
      agents: [],
      dataFolder: tmpdir(),
      token: 't',
      report: (error) => reports.push(error),
    })
    onTestFinished(() => handler.close())
    for (const path of ['/api/threads', '/api/threads', '/api/files', '/api/files']) {
      let pulls = 0
      const body = new ReadableStream({
        pull(controller) {
          pulls++
          if (pulls > 1) controller.error(new Error('the client is gone'))
          else controller.enqueue(new TextEncoder().encode('{"title":'))
        },
      })
      const headers = { authorization: 'Bearer t' }
      const request = new Request(`http://localhost${path}`, { method: 'POST', body, headers, duplex: 'half' })
      const response = await handler.fetch(request)
      expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'broken-off' } }])
    }
    expect([reports, (await log.threads({ limit: 10 })).items]).toEqual([[], []])
  })
})
