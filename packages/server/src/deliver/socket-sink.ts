import type { WebSocket } from 'ws'
import type { Sink } from './sink.ts'

/** How much may wait for a client that is about to read, in bytes. */
const BUFFERED = 64 * 1024

/** A WebSocket as a sink: each write is one text message. There is no head to send. */
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
  const isOpen = () => socket.readyState === socket.OPEN
  const hasRoom = () => !isOpen() || socket.bufferedAmount < BUFFERED

  return {
    closed: gone.signal,
    open() {},
    write(bytes) {
      if (isOpen()) {
        socket.send(bytes, { binary: false }, () => {
          if (hasRoom()) release()
        })
      }
      return hasRoom()
    },
    drained: () => (hasRoom() ? Promise.resolve() : waiting.promise),
    end: () => socket.close(1000),
    // Without a farewell: a client that does not read would not get it.
    cut: () => socket.terminate(),
  }
}
