import { setImmediate } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'

/** How much of what a client has sent may wait here, in bytes, before nothing more is read from it. */
const WAITING = 64 * 1024

/** What an empty frame costs. */
const ITSELF = 64

/** How many frames are taken before others get their turn. */
const AT_A_TIME = 64

/**
 * Takes what a client sends, one by one and in order. A client that sends faster than is taken has to wait. If `take`
 * rejects, the client is cut.
 */
export function readFrames(socket: WebSocket, take: (frame: Buffer, isBinary: boolean) => Promise<void>): void {
  const waiting: { readonly frame: Buffer; readonly isBinary: boolean }[] = []
  let size = 0
  let taken = 0
  let isTaking = false

  async function takeAll(): Promise<void> {
    isTaking = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await take(next.frame, next.isBinary)
      size -= next.frame.byteLength + ITSELF
      if (socket.isPaused && size < WAITING) socket.resume()
      taken++
      if (taken % AT_A_TIME === 0) await setImmediate()
    }
    isTaking = false
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    // A server's sockets give whole buffers unless told otherwise.
    const frame = data as Buffer
    waiting.push({ frame, isBinary })
    size += frame.byteLength + ITSELF
    if (size >= WAITING) socket.pause()
    if (!isTaking) takeAll().catch(() => socket.terminate())
  })
}
