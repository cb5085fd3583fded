import { cursorFirstFrameOf, getWire, sseFrameOf } from '@millrace/core/wire'
import type { ChunkBatch } from '../deliver/chunk-batch.ts'
import { throwUnlessOfLog } from '../deliver/fan-out.ts'
import { Pacer } from '../deliver/pacer.ts'
import type { Sink } from '../deliver/sink.ts'
import { ping, sseHeaders } from '../deliver/sse.ts'
import { apiHeaders } from './headers.ts'
import type { Services } from './services.ts'
import { createFollower } from './sessions/follower.ts'
import type { SessionPosition } from './sessions/session-position.ts'
import { sessionsOf } from './sessions/sessions.ts'

export interface ThreadRunsStream {
  readonly services: Services
  readonly threadId: string
  readonly wire: string
  readonly profile?: string
  /** What the client already has; without it, the client gets every run. */
  readonly after?: SessionPosition
  readonly sink: Sink
}

/**
 * The runs of a thread on one wire, one after another, as server-sent events: a client connects once, before the first run, and stays.
 * The id of an event is a position in the thread. Resolves when the viewer is gone; no run is stopped by that.
 */
export async function streamThreadRuns(stream: ThreadRunsStream): Promise<void> {
  const { services, threadId, sink, ...choice } = stream
  const { headers, hasCursorsFirst } = getWire(stream.wire)
  sink.open({ status: 200, headers: { ...apiHeaders, ...sseHeaders, ...headers } })
  const pacer = new Pacer(sink, services.timing, ping)
  const frameOf = hasCursorsFirst ? cursorFirstFrameOf : sseFrameOf
  const messagesOf = ({ chunks }: ChunkBatch, runId: string) =>
    chunks.map(({ chunk, cursor }) => encoder.encode(frameOf(JSON.stringify(chunk), `${runId}:${cursor}`)))
  const line = { sink, pacer }
  try {
    await createFollower({
      ...choice,
      services,
      sessions: sessionsOf(services),
      sessionId: threadId,
      line,
      messagesOf,
    }).follow()
  } catch (error) {
    sink.cut()
    throwUnlessOfLog(error)
  } finally {
    pacer.stop()
  }
}

const encoder = new TextEncoder()
