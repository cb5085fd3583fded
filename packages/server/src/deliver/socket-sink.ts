import type { WebSocket } from 'ws'
import type { Sink } from './sink.ts'

/** How much may be buffered for a client, in bytes. */
const BUFFERED = 64 * 1024

/** Whether the client has taken nearly everything that was sent, or is gone. */
export const hasRoom = (socket: WebSocket): boolean =>
  socket.readyState !== socket.OPEN || socket.bufferedAmount < BUFFERED

/**
 * A WebSocket as a sink: each write is one text message, and there is no head. Pings are answered here, but only while there
 * is room: a client that pings and does not read would fill the memory with the answers.
 */
export function createSocketSink(socket: WebSocket): Sink {
  const gone = new AbortController()
  let waiting = Promise.withResolvers<void>()

  function release(): void {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }

  socket.once('close', () => {
    gone.abort()
    release()
  })
  socket.on('error', () => socket.terminate())
  const settle = () => {
    if (hasRoom(socket)) release()
  }
  const isOpen = () => socket.readyState === socket.OPEN
  socket.on('ping', (data) => {
    if (isOpen() && hasRoom(socket)) socket.pong(data, false, settle)
  })

  return {
    closed: gone.signal,
    open() {},
    write(bytes) {
      if (isOpen()) socket.send(bytes, { binary: false }, settle)
      return hasRoom(socket)
    },
    drained: () => (hasRoom(socket) ? Promise.resolve() : waiting.promise),
    end: () => socket.close(1000),
    // Without a close frame: a client that does not read would not get it.
    cut: () => socket.terminate(),
  }
}
