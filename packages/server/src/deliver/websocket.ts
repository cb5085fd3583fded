import { getFormat } from '@millrace/core/format'
import type { WebSocket } from 'ws'
import { type FanOut, follow, type Watch } from './fan-out.ts'
import { createPacer } from './pacer.ts'
import { createSocketSink } from './socket-sink.ts'
import { defaultTiming, type Timing } from './timing.ts'

export interface StreamRunToSocket extends Omit<Watch, 'signal'> {
  readonly fanOut: FanOut
  readonly socket: WebSocket
  readonly timing?: Timing
  /** Cuts the connection when it fires. */
  readonly shutdown?: AbortSignal
}

/**
 * Streams a run to one viewer over a WebSocket, in frames of `{id, chunk}` or the wire's own, until the run ends (the socket then closes
 * with 1000) or the viewer is gone. What a client sends is not listened to.
 */
export async function streamRunToSocket(options: StreamRunToSocket): Promise<void> {
  const { fanOut, socket, timing = defaultTiming, shutdown, ...watch } = options
  const sink = createSocketSink(socket)
  shutdown?.addEventListener('abort', () => sink.cut(), { signal: sink.closed })
  const { socketMessage } = getFormat(watch.wire)
  const pacer = createPacer(sink, timing, createBeat(socket))
  try {
    await follow(fanOut, { ...watch, signal: sink.closed }, async (piece) => {
      for (const message of piece.messages(socketMessage)) await pacer.send(message)
    })
    sink.end()
  } catch {
    sink.cut()
  } finally {
    pacer.stop()
  }
}

/** Pings; a client that has answered neither of the last two is gone without having said so. */
function createBeat(socket: WebSocket): () => boolean {
  let unanswered = 0
  socket.on('pong', () => {
    unanswered = 0
  })
  return () => {
    if (unanswered < 2) socket.ping()
    else socket.terminate()
    unanswered++
    return true
  }
}
