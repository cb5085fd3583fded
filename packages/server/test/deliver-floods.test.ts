import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSocketChat } from '../src/api/chat/socket-chat.ts'
import type { Services } from '../src/api/services.ts'
import { clientFrame, closing, connectRaw, received, upgradeHead } from './raw-socket.ts'
import { createGate, createTiming, type Serving, scripted, started, startServer, text, until } from './serving.ts'

const MEGABYTE = 1024 * 1024
/** More than the socket buffers of both sides hold. */
const FLOOD = 24 * MEGABYTE
const PING = 0x9
const PONG = 0xa

const waiting = scripted('waiting', async function* ({ signal }) {
  yield text('one')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

async function opened(server: Serving, path: string): Promise<Socket> {
  const socket = connectRaw(server.port)
  socket.write(upgradeHead(server, path))
  await received(socket, 'HTTP/1.1 101')
  return socket
}

/** Writes pings repeatedly and reads nothing. */
async function floodWithPings(socket: Socket): Promise<void> {
  const ping = clientFrame(PING, Buffer.alloc(125, 'p'))
  const piece = Buffer.concat(Array.from({ length: 500 }, () => ping))
  for (let sent = 0; sent < FLOOD; sent += piece.length) {
    if (!socket.write(piece)) await once(socket, 'drain')
  }
}

/** The number of bytes that arrive until the server is silent. */
async function arriving(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (piece) => {
    bytes += piece.length
  })
  socket.resume()
  for (let last = -1; last !== bytes; ) {
    last = bytes
    await setTimeout(300)
  }
  return bytes
}

describe('a client that sends and does not read', () => {
  it('gets no pongs beyond the limit of unread bytes; its other pings are answered', async () => {
    const server = await startServer({ agents: [waiting] })
    const socket = await opened(server, `/api/runs/${await started(server)}/ws`)
    socket.write(clientFrame(PING, Buffer.from('are you there?')))
    expect(await received(socket, 'are you there?')).toContain('are you there?')
    await floodWithPings(socket)
    expect(await arriving(socket)).toBeLessThan(FLOOD / 2)
    socket.destroy()
  })

  it('is disconnected if it leaves pongs unread for too long, even if it answers pings', async () => {
    const timing = createTiming()
    const server = await startServer({ agents: [waiting], timing })
    const socket = await opened(server, `/api/runs/${await started(server)}/ws`)
    await floodWithPings(socket)
    const closed = closing(socket)
    for (let round = 0; round < 6; round++) {
      socket.write(clientFrame(PONG, Buffer.alloc(0)))
      await setTimeout(50)
      timing.advance(10_000)
    }
    socket.resume()
    await closed
  })

  it('is not read while its responses wait, on the WebSocket for chats', async () => {
    const room = createGate()
    const frames: unknown[] = []
    const send = (bytes: Uint8Array) => {
      frames.push(JSON.parse(Buffer.from(bytes).toString()))
      return frames.length < 2 ? undefined : room.opened
    }
    const drained = () => (frames.length < 2 ? Promise.resolve() : room.opened)
    const sink = { ...idle, closed: new AbortController().signal, drained }
    const services = { log: { runs: async () => [] }, report: () => {} } as unknown as Services
    const hear = createSocketChat(services, { sink, pacer: { send, stop: () => {} } })
    const resume = (requestId: string) => hear(JSON.stringify({ type: 'resume', requestId, id: 'none' }))
    await resume('first')
    await resume('second')
    await until(() => frames.length === 2)
    const third = resume('third').then(() => 'heard')
    expect(await Promise.race([third, setTimeout(50, 'waits')])).toBe('waits')
    room.open()
    expect(await third).toBe('heard')
    await until(() => frames.length === 3)
  })

  it('is not read while a refusal waits either', async () => {
    const room = createGate()
    const sink = { ...idle, closed: new AbortController().signal }
    const hear = createSocketChat({} as Services, { sink, pacer: { send: () => room.opened, stop: () => {} } })
    const refused = hear(JSON.stringify({ type: 'nothing', requestId: 'r' })).then(() => 'heard')
    expect(await Promise.race([refused, setTimeout(50, 'waits')])).toBe('waits')
    room.open()
    expect(await refused).toBe('heard')
  })
})

const idle = { open: () => {}, write: () => true, drained: () => Promise.resolve(), end: () => {}, cut: () => {} }
