import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { defined, type Fields, withDefined } from '../chunk-fields.ts'
import { createChunkQueue, createRiders, type Riders } from '../responses.ts'
import type { Chunk } from '../wire.ts'
import type { AgentEvent } from './tool-events.ts'

/** Fields besides those of the protocol. A client that does not know them ignores them. */
export interface ChunkDetails {
  readonly callId?: string | undefined
  readonly parentCallId?: string | undefined
  /** The time of the event by the framework's clock. */
  readonly at?: number | undefined
  /** What the chunk alone does not express: further fields of the event, or the events that are meant `instead`. */
  readonly extra?: Fields | undefined
}

/** The chunks of a run. Events that the protocol cannot express travel with them as riders. */
export interface Stream {
  /** They travel in the next chunk's `millrace.before`. */
  readonly riders: Riders
  /** Takes over the chunk, to which it adds the details. */
  emit(chunk: AgentEvent, details?: ChunkDetails): void
  /** Emits a delta of the answer that has no other fields. Most chunks are such, so they have a fast path (bench/rows/wire.ts). */
  emitText(content: string): void
  /** The chunks of an entry. */
  take(): readonly Chunk[]
}

/** The extra fields of a chunk that represents no event. */
export const NO_EVENT: Fields = { instead: [] }

/** The extra fields of a chunk that only shows events to people: readers use the events themselves. */
export function insteadOf(...events: readonly StreamEvent[]): Fields {
  return { instead: events as unknown as Json }
}

export function createStream(runId: string): Stream {
  const { add, take } = createChunkQueue()
  const riders = createRiders(() => emit({ type: 'stream', content: '' }, { extra: NO_EVENT }))
  let seq = 0

  function millraceFields(extra: Fields | undefined): JsonObject | undefined {
    const before = riders.take()
    if (before !== undefined) return extra === undefined ? { before } : withDefined({ before }, extra)
    return extra === undefined ? undefined : nonEmpty(defined(extra))
  }

  function emit(chunk: AgentEvent, { callId, parentCallId, at, extra }: ChunkDetails = {}): void {
    const annotated = chunk as Record<string, Json>
    if (callId !== undefined) annotated.callId = callId
    if (parentCallId !== undefined) annotated.parentCallId = parentCallId
    if (seq === 0) annotated.runId = runId
    annotated.seq = ++seq
    if (at !== undefined) annotated.at = at
    const ours = millraceFields(extra)
    if (ours !== undefined) annotated.millrace = ours
    add(annotated)
  }

  return {
    riders,
    emit,
    emitText(content) {
      if (seq === 0 || !riders.isEmpty()) emit({ type: 'stream', content })
      else add({ type: 'stream', content, seq: ++seq })
    },
    take,
  }
}

function nonEmpty(fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}
