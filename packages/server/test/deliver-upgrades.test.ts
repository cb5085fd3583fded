import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { memory } from '../src/log/memory.ts'
import { createServer } from '../src/server.ts'
import { closing, connectRaw, freePort, received, upgradeHead } from './raw-socket.ts'
import { createGate, startServer, until } from './serving.ts'

const token = 'token-of-this-test'

/** A host whose authorization waits for the test. */
async function slowHost() {
  const gate = createGate()
  let asked = 0
  const handler = await createHandler({
    log: await memory.open({ folder: '' }),
    agents: [],
    dataFolder: tmpdir(),
    async authorize() {
      asked++
      await gate.opened
      return true
    },
  })
  const http = createHttpServer(handler.listener).on('upgrade', handler.upgrade).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(async () => {
    http.close().closeAllConnections()
    await handler.close()
  })
  return { gate, asked: () => asked, port: (http.address() as AddressInfo).port }
}

describe('an upgrade', () => {
  it('or a request is closed at once while the server recovers, and its reset does no harm', async () => {
    const gate = createGate()
    const kept = await memory.open({ folder: '' })
    const log = { ...kept, openRuns: () => gate.opened.then(() => kept.openRuns()) }
    const port = await freePort()
    const starting = createServer({ log, agents: [], dataFolder: tmpdir(), token, port, recoverWithin: 60_000 })
    onTestFinished(async () => (await starting).close())
    const upgrade = upgradeHead({ port, token }, '/api/chat/ws')
    const request = `GET /api/health HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`
    for (const head of [upgrade, request]) {
      for (const isReset of [true, false]) {
        const socket = connectRaw(port)
        const closed = closing(socket).then(() => 'closed')
        socket.write(head)
        if (isReset) socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()))
        expect(await Promise.race([closed, setTimeout(5_000, 'open')])).toBe('closed')
      }
    }
    gate.open()
    const { url } = await starting
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  })

  it('or a request is answered while the runs of an earlier process are still being settled', async () => {
    const gate = createGate()
    const kept = await memory.open({ folder: '' })
    const log = { ...kept, openRuns: () => gate.opened.then(() => kept.openRuns()) }
    const server = await createServer({ log, agents: [], dataFolder: tmpdir(), token, port: 0, recoverWithin: 0 })
    onTestFinished(() => server.close())
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200)
    gate.open()
  })

  it('that is reset during its authorization does no harm', async () => {
    const { gate, asked, port } = await slowHost()
    const sockets = Array.from({ length: 5 }, () => connectRaw(port))
    for (const socket of sockets) socket.write(upgradeHead({ port, token }, '/api/chat/ws'))
    await until(() => asked() === 5)
    for (const socket of sockets) socket.resetAndDestroy()
    // Long enough for the server to notice, and before the handshake, which adds its own listener.
    await setTimeout(100)
    gate.open()
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
  })

  it('that is reset right after the handshake, or whose handshake is not valid, does no harm', async () => {
    const server = await startServer()
    const head = upgradeHead(server, '/api/chat/ws')
    for (const bytes of [head, head.replace('version: 13', 'version: 2')]) {
      const socket = connectRaw(server.port)
      socket.write(bytes)
      await received(socket, 'HTTP/1.1')
      socket.resetAndDestroy()
    }
    expect((await server.ask('/api/health')).status).toBe(200)
  })

  it.each(['h2c', 'TLS/1.0', 'h2c, TLS/1.0'])('to %s is handled as a plain request', async (protocol) => {
    const server = await startServer()
    const host = await slowHost()
    host.gate.open()
    for (const { port } of [server, host]) {
      const socket = connectRaw(port)
      const head = upgradeHead({ port, token: server.token }, '/api/agents', protocol)
      socket.write(head)
      expect(await received(socket, '"agents":[]')).toMatch(/^HTTP\/1.1 200/)
      // With a body, on the same connection, in two parts.
      const body = `{"title":"${'x'.repeat(100)}"}`
      const length = `content-length: ${body.length}\r\n\r\n`
      socket.write(head.replace('GET /api/agents', 'POST /api/threads').replace(/\r\n$/, length) + body.slice(0, 9))
      await setTimeout(20)
      socket.write(body.slice(9))
      expect(await received(socket, 'xxx"')).toMatch(/^HTTP\/1.1 201/)
      socket.destroy()
    }
  })
})
