import type { Entry } from '../../entry.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import { createChunkQueue } from '../responses.ts'
import type { Chunk } from '../wire.ts'
import type { Drafts, SegmentSlot } from './drafts.ts'

/** The chunks of a run. */
export interface Stream {
  readonly drafts: Drafts
  /** Milliseconds by the event's own clock, else by the log's. Undefined if neither has a time. */
  timeOf(event: StreamEvent): number | undefined
  /**
   * Emits a chunk that expresses an event. The event's type and its fields other than `carried` are under `millrace`, so
   * that the event can be read back.
   */
  emitEvent(event: StreamEvent, carried: CarriedFields, type: string, fields: Fields): void
  /** The same with the current segment as a whole. */
  emitSegment(event: StreamEvent, carried: CarriedFields, slot: SegmentSlot, segment: JsonObject): void
  /** The same with a standalone event, if the form prefers those and the Event is the current one; otherwise with a segment. */
  emitEither(
    event: StreamEvent,
    carried: CarriedFields,
    slot: SegmentSlot,
    segment: JsonObject,
    standalone: StandaloneEvent,
  ): void
  /** Repeats something for clients that recognise it only by this chunk: nothing is read back from it. */
  repeatEither(slot: SegmentSlot, segment: JsonObject, standalone: StandaloneEvent): void
  /** Emits an event that the protocol has no chunk for. */
  emitMillrace(event: StreamEvent): void
  emit(chunk: Chunk): void
  take(): readonly Chunk[]
  /** Sets the current entry. Its time is computed only on demand: most chunks have none (bench/rows/wire.ts). */
  beginEntry(entry: Entry): void
}

/** The fields of an event that its chunk carries elsewhere. */
export type CarriedFields = ReadonlySet<string>

/** A segment's change as a separate event of the protocol. */
export interface StandaloneEvent {
  readonly type: string
  readonly fields: Fields
}

/** Whether changes are sent as segments or as standalone events. */
export type Form = 'segments' | 'tools'

const NO_FIELDS: CarriedFields = new Set()

export function createStream(drafts: Drafts, form: Form): Stream {
  const { add: emit, take } = createChunkQueue()
  let current: Entry | undefined

  function millraceOf(event: StreamEvent, carried: CarriedFields): JsonObject {
    const millrace: Record<string, Json> = {}
    for (const field in event) {
      const value = event[field as keyof StreamEvent] as Json | undefined
      if (value !== undefined && field !== 'sentAt' && !carried.has(field)) millrace[field] = value
    }
    if (typeof millrace.messageId === 'string') millrace.messageId = drafts.idOf(millrace.messageId)
    return millrace
  }

  function emitEvent(event: StreamEvent, carried: CarriedFields, type: string, fields: Fields): void {
    const { sentAt } = event
    const timed = sentAt === undefined ? fields : withTime(fields, sentAt)
    emit(chunkOf(type, { ...timed, millrace: millraceOf(event, carried) }))
  }

  function emitSegment(
    event: StreamEvent,
    carried: CarriedFields,
    { draft, index }: SegmentSlot,
    segment: JsonObject,
  ): void {
    const data = { segment, segmentIndex: index, event: { id: draft.id } }
    // Almost no event has a time of its own.
    if (event.sentAt === undefined) emit({ type: 'segment', data, millrace: millraceOf(event, carried) })
    else emitEvent(event, carried, 'segment', { data })
  }

  return {
    drafts,
    timeOf: ({ sentAt }) => sentAt ?? (current?.at || undefined),
    emitEvent,
    emitSegment,
    emitEither(event, carried, slot, segment, { type, fields }) {
      if (form === 'tools' && drafts.isCurrent(slot.draft)) emitEvent(event, carried, type, fields)
      else emitSegment(event, carried, slot, segment)
    },
    repeatEither({ draft, index }, segment, { type, fields }) {
      const isStandalone = form === 'tools' && drafts.isCurrent(draft)
      const data = { segment, segmentIndex: index, event: { id: draft.id } }
      emit(isStandalone ? chunkOf(type, { ...fields, millrace: {} }) : { type: 'segment', data, millrace: {} })
    },
    emitMillrace: (event) => emitEvent(event, NO_FIELDS, 'millrace', {}),
    emit,
    take,
    beginEntry(entry) {
      current = entry
    },
  }
}

/** A delta with its time and metadata, if it has any; almost no delta does. */
export function deltaWith(delta: Chunk, sentAt: number | undefined, meta: Meta | undefined): Chunk {
  if (sentAt === undefined && meta === undefined) return delta
  const metadata = sentAt === undefined ? undefined : { timestamp: sentAt }
  return { ...delta, ...defined({ metadata, millrace: meta === undefined ? undefined : { meta } }) }
}

function withTime(fields: Fields, timestamp: number): Fields {
  return { ...fields, metadata: { ...(fields.metadata as JsonObject | undefined), timestamp } }
}
