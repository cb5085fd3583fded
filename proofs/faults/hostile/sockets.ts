import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { ask, runAt } from '../asking.ts'
import { breakOff, connect, firstBytes, headOf, upgradeOf } from '../raw-sockets.ts'
import type { Address } from '../server-process.ts'
import { type Hostility, refused } from './hostility.ts'

const HALF_OPEN = 50

/** Hostile connections. */
export const sockets: readonly Hostility[] = [
  { name: 'a WebSocket that sends random bytes', attack: (server) => garbage(server, randomBytes(4_096)) },
  { name: 'a WebSocket that sends an enormous frame', attack: (server) => garbage(server, frame(2 ** 40)) },
  {
    name: 'a WebSocket that sends a frame without a mask',
    attack: (server) => garbage(server, Buffer.from([0x81, 1, 97])),
  },
  {
    name: 'a WebSocket without a token',
    attack: (server) => upgradeRefused(server, '/api/runs/for-sockets/ws', 401, 'wrong'),
  },
  { name: 'a WebSocket on an unknown run', attack: (server) => upgradeRefused(server, '/api/runs/nobody/ws', 404) },
  {
    name: 'a WebSocket on a path that cannot be read',
    attack: (server) => upgradeRefused(server, '/api/runs/%ff/ws', 400),
  },
  {
    name: `${HALF_OPEN} requests that stop in their headers`,
    attack: (server) => halfOpen(server, 'GET /api/threads HTTP/1.1\r\nHost: 127.0'),
  },
  {
    name: `${HALF_OPEN} requests that stop in their body`,
    attack: (server) =>
      halfOpen(server, `${headOf(server, 'POST', '/api/threads')}content-length: 1000\r\n\r\n{"title":`),
  },
  {
    name: `${HALF_OPEN} producers that say nothing`,
    attack: (server) =>
      halfOpen(server, `${headOf(server, 'POST', '/api/ingest?format=agent-lines')}transfer-encoding: chunked\r\n\r\n`),
  },
  { name: 'bytes that are not HTTP', attack: (server) => halfOpen(server, randomBytes(512)) },
]

function frame(length: number): Buffer {
  const bytes = Buffer.alloc(14)
  bytes[0] = 0x82
  bytes[1] = 0x80 | 127
  bytes.writeBigUInt64BE(BigInt(length), 2)
  return bytes
}

/** Sends this over an open WebSocket: the server must close that WebSocket only. */
async function garbage(server: Address, bytes: Uint8Array): Promise<readonly string[]> {
  await waitingRun(server)
  const socket = connect(server)
  socket.write(upgradeOf(server, '/api/runs/for-sockets/ws'))
  const first = await Promise.race([firstBytes(socket), setTimeout(5_000, '')])
  socket.write(bytes)
  const closed = await Promise.race([closing(socket), setTimeout(5_000, 'open')])
  socket.destroy()
  return [
    ...(first.startsWith('HTTP/1.1 101') ? [] : [`the handshake was answered with ${first.slice(0, 60)}`]),
    ...(closed === 'open' ? ['the socket stayed open'] : []),
  ]
}

/** A run that has not ended: its viewers stay. */
async function waitingRun(server: Address): Promise<void> {
  await breakOff(server, 'for-sockets', async () => (await runAt(server, 'for-sockets')) !== undefined)
}

async function upgradeRefused(
  server: Address,
  path: string,
  status: number,
  token = server.token,
): Promise<readonly string[]> {
  await waitingRun(server)
  const socket = connect(server)
  socket.write(upgradeOf({ ...server, token }, path))
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  await Promise.race([closing(socket), setTimeout(5_000)])
  socket.destroy()
  const [first = '', text = ''] = received.split('\r\n\r\n')
  return refused({ status: Number(/^HTTP\/1.1 (\d+)/.exec(first)?.[1]), text }, status)
}

/** Opens many such connections, and sends another request meanwhile. */
async function halfOpen(server: Address, bytes: string | Uint8Array): Promise<readonly string[]> {
  const open = Array.from({ length: HALF_OPEN }, () => connect(server))
  for (const socket of open) socket.write(bytes)
  await setTimeout(50)
  const { status } = await ask(server, '/api/threads')
  for (const socket of open) socket.destroy()
  return status === 200 ? [] : [`another request was answered with ${status}`]
}

const closing = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.resume()
    socket.once('close', () => resolve('closed')).once('end', () => resolve('closed'))
  })
