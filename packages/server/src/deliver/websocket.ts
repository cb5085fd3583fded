import type { WebSocket } from 'ws'
import type { FanOut, Watch } from './fan-out.ts'
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
 * Streams a run to one viewer over a WebSocket, in frames of `{id, chunk}`, until the run ends (the socket then closes
 * with 1000) or the viewer is gone. What a client sends is not listened to.
 */
export async function streamRunToSocket(options: StreamRunToSocket): Promise<void> {
  const { fanOut, socket, timing = defaultTiming, shutdown, ...watch } = options
  const sink = createSocketSink(socket)
  shutdown?.addEventListener('abort', () => sink.cut(), { signal: sink.closed })
  const pacer = createPacer(sink, timing, createBeat(socket))
  try {
    for await (const piece of fanOut.watch({ ...watch, signal: sink.closed })) {
      for (const message of piece.messages()) await pacer.send(message)
    }
    sink.end()
  } catch {
    sink.cut()
  } finally {
    pacer.stop()
  }
}

/** Pings; a client that has not answered the last ping is gone without having said so. */
function createBeat(socket: WebSocket): () => boolean {
  let isAnswered = true
  socket.on('pong', () => {
    isAnswered = true
  })
  return () => {
    if (isAnswered) socket.ping()
    else socket.terminate()
    isAnswered = false
    return true
  }
}
