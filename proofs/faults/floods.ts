import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { runAt } from './asking.ts'
import type { Fault, Size } from './fault.ts'
import { recordHealth } from './health.ts'
import { megabytes, recordMemory, tooMuch } from './memory.ts'
import { breakOff, connect, firstBytes, frameOf, upgradeOf } from './raw-sockets.ts'
import { type ServerProcess, withServer } from './server-process.ts'

const MEGABYTE = 1024 * 1024
/** In MB: the answers that fit into a connection's buffers, and the garbage of reading as fast as it is sent. */
const MOST_GROWTH = 160
/** In ms, from the moment that the server takes nothing more. */
const CUT_WITHIN = 20_000
const RUN = 'flooded'
const patience = { stallAfter: 2_000, heartbeat: 1_000, resumeWithin: 600_000 }

interface Flood {
  readonly name: string
  readonly path: string
  readonly frame: Buffer
  readonly sizes: Fault['sizes']
}

const PONG = frameOf(0xa, '')

/** A viewer that pings, answers pings and reads nothing. */
export const pingFloods = floodOf({
  name: 'ping floods',
  path: `/api/runs/${RUN}/ws`,
  frame: frameOf(0x9, 'p'.repeat(125)),
  sizes: { full: { count: 2, megabytes: 150 }, small: { count: 1, megabytes: 80 } },
})

/** A chat that sends requests and reads nothing. */
export const resumeFloods = floodOf({
  name: 'resume floods',
  path: '/api/chat/ws',
  frame: frameOf(0x1, JSON.stringify({ type: 'resume', requestId: 'r', id: 'none' })),
  sizes: { full: { count: 2, megabytes: 45 }, small: { count: 1, megabytes: 24 } },
})

function floodOf(flood: Flood): Fault {
  return {
    name: flood.name,
    promise: `a client that does not read costs less than ${MOST_GROWTH} MB and is cut; the server answers others throughout`,
    sizes: flood.sizes,
    run: (size) => withServer((server) => tryFlood(server, flood, size), patience),
  }
}

async function tryFlood(server: ServerProcess, { path, frame }: Flood, size: Size) {
  await breakOff(server, RUN, async () => (await runAt(server, RUN)) !== undefined)
  const memory = recordMemory(server)
  const health = recordHealth(server)
  const clients = Array.from({ length: size.count }, async () => {
    const socket = connect(server)
    socket.write(upgradeOf(server, path))
    const answer = await firstBytes(socket)
    socket.pause()
    if (!answer.startsWith('HTTP/1.1 101')) return [`the handshake was answered with ${answer.slice(0, 60)}`]
    await send(socket, frame, size.megabytes * MEGABYTE)
    return (await isCut(socket)) ? [] : ['a client that read nothing was not cut']
  })
  const problems = (await Promise.all(clients)).flat()
  const growth = memory.growth()
  memory.stop()
  const { unanswered, longest } = await health.stop()
  return {
    tried: `${size.count} clients, up to ${size.megabytes} MB each`,
    broken: [
      ...problems,
      ...tooMuch('growth', growth, MOST_GROWTH),
      ...(unanswered === 0 && server.isAlive() ? [] : [`${unanswered} health requests were not answered`]),
    ],
    figures: [`memory grew by ${megabytes(growth)} at most`, `the slowest health request took ${longest} ms`],
  }
}

/** Sends the frame until so many bytes are sent, the server takes nothing for a while, or it cuts the connection. */
async function send(socket: Socket, frame: Buffer, most: number): Promise<void> {
  const piece = Buffer.concat(Array.from({ length: Math.ceil((64 * 1024) / frame.length) }, () => frame))
  for (let sent = 0; sent < most && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece) && !(await isDrained(socket))) return
  }
}

function isDrained(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isEmpty: boolean) => () => {
      clearTimeout(timer)
      socket.off('drain', drained).off('close', gone)
      resolve(isEmpty)
    }
    const [drained, gone] = [settle(true), settle(false)]
    const timer = globalThis.setTimeout(gone, patience.stallAfter)
    socket.once('drain', drained).once('close', gone)
  })
}

/** Whether the server cuts the connection by itself although the client answers its pings. */
async function isCut(socket: Socket): Promise<boolean> {
  for (const end = Date.now() + CUT_WITHIN; Date.now() < end && !socket.destroyed; await setTimeout(100)) {
    socket.write(PONG)
  }
  const isGone = socket.destroyed
  socket.destroy()
  return isGone
}
