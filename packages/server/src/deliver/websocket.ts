import { getWire } from '@millrace/core/wire'
import type { WebSocket } from 'ws'
import { type FanOut, throwUnlessOfLog } from './fan-out.ts'
import { follow } from './follow.ts'
import { defaultTiming, Pacer, type Timing } from './pacer.ts'
import { cutAt, type Sink } from './sink.ts'
import { createSocketSink, hasRoom } from './socket-sink.ts'
import { followStatus, type WatchedStatus } from './status-frames.ts'
import type { Watch } from './viewer.ts'

export interface LineOptions {
  readonly socket: WebSocket
  readonly timing?: Timing
  /** Cuts the connection when it fires. */
  readonly shutdown?: AbortSignal
}

/** The sending side of a connection. */
export interface Line {
  readonly sink: Sink
  /** MUST be stopped when nothing more is sent. */
  readonly pacer: Pick<Pacer, 'send' | 'stop'>
}

export interface StreamRunToSocket extends Omit<Watch, 'signal'>, LineOptions {
  readonly fanOut: FanOut
  /** Sent beside the chunks, in messages without an id. */
  readonly status?: WatchedStatus
}

/**
 * Streams a run to one viewer over a WebSocket, in frames of `{id, chunk}` or the wire's own, until the run ends (the
 * socket then closes with 1000) or the viewer is gone. Messages of the client are ignored. Rejects, after a cut, with an error
 * of the wire.
 */
export async function streamRunToSocket(options: StreamRunToSocket): Promise<void> {
  const { fanOut, socket, timing, shutdown, status, ...watch } = options
  const { sink, pacer } = openLine({ socket, ...(timing && { timing }), ...(shutdown && { shutdown }) })
  let fault: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    fault = { error }
    sink.cut()
  }
  const stopStatus = status && followStatus(status, (text) => pacer.send(encoder.encode(text)), fail)
  try {
    const { socketMessage } = getWire(watch.wire)
    await follow(fanOut, { ...watch, signal: sink.closed }, async (batch) => {
      for (const message of batch.messages(socketMessage)) await pacer.send(message)
    })
    if (fault !== undefined) throw fault.error
    sink.end()
  } catch (error) {
    sink.cut()
    throwUnlessOfLog(error)
  } finally {
    stopStatus?.()
    pacer.stop()
  }
}

const encoder = new TextEncoder()

export function openLine({ socket, timing = defaultTiming, shutdown }: LineOptions): Line {
  const sink = createSocketSink(socket)
  if (shutdown !== undefined) cutAt(shutdown, sink)
  return { sink, pacer: new Pacer(sink, timing, createBeat(socket)) }
}

/**
 * Pings. A client that has answered neither of the last two pings is gone without having closed the connection. A client
 * that answers but takes nothing does not keep up.
 */
function createBeat(socket: WebSocket): () => boolean {
  let unanswered = 0
  socket.on('pong', () => {
    unanswered = 0
  })
  return () => {
    if (unanswered < 2) socket.ping()
    else socket.terminate()
    unanswered++
    return hasRoom(socket)
  }
}
