import type { WebSocket } from 'ws'
import { type ReadChunks, readChunks } from './chunks.ts'
import { createPacer } from './pacer.ts'
import { createSocketSink } from './socket-sink.ts'
import { defaultTiming, type Timing } from './timing.ts'

export interface StreamRunToSocket extends Omit<ReadChunks, 'live' | 'signal'> {
  readonly socket: WebSocket
  readonly timing?: Timing
  /** Cuts the connection when it fires. */
  readonly shutdown?: AbortSignal
}

const encoder = new TextEncoder()

/**
 * Streams a run to one viewer over a WebSocket, in frames of `{id, chunk}`, until the run ends (the socket then closes
 * with 1000) or the viewer is gone. What a client sends is not listened to.
 */
export async function streamRunToSocket(options: StreamRunToSocket): Promise<void> {
  const { socket, timing = defaultTiming, shutdown, ...read } = options
  const sink = createSocketSink(socket)
  shutdown?.addEventListener('abort', () => sink.cut(), { signal: sink.closed })
  const pacer = createPacer(sink, timing, createBeat(socket))
  try {
    for await (const placed of readChunks({ ...read, live: true, signal: sink.closed })) {
      for (const { cursor, chunk } of placed) await pacer.send(encoder.encode(JSON.stringify({ id: cursor, chunk })))
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
