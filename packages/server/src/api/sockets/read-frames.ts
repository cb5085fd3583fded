import { setImmediate } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'

/** How many bytes of a client's frames may wait here before reading from it stops. */
const WAITING = 64 * 1024

/** What an empty frame costs, in bytes. */
const ITSELF = 64

/** How many frames are taken before other work gets a turn. */
const AT_A_TIME = 64

/**
 * Passes a client's frames to `take`, one at a time and in order. A client that sends faster than frames are taken has to
 * wait. If `take` rejects, the client is cut.
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
    // The default `binaryType` of a server's socket gives whole buffers.
    const frame = data as Buffer
    waiting.push({ frame, isBinary })
    size += frame.byteLength + ITSELF
    if (size >= WAITING) socket.pause()
    if (!isTaking) takeAll().catch(() => socket.terminate())
  })
}
