import type { Entry } from '../../entry.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import { createChunkQueue } from '../responses.ts'
import type { Chunk } from '../wire.ts'
import type { Drafts, Place } from './drafts.ts'

/** The chunks of a run, and what they have in common. */
export interface Stream {
  readonly drafts: Drafts
  /** Milliseconds: the event's own clock, else the log's. Nothing where neither has one. */
  timeOf(event: StreamEvent): number | undefined
  /**
   * A chunk that says an event. What the protocol's fields do not tell stands under `millrace`, so that the event can be
   * read back: its type, and its own fields but for those that were `told`.
   */
  say(event: StreamEvent, told: Told, type: string, fields: Fields): void
  /** The same with a segment, whole as it is now. */
  saySegment(event: StreamEvent, told: Told, place: Place, segment: JsonObject): void
  /** The same by an event of the protocol's own, in the form that prefers them and where they can say which Event is meant. */
  sayEither(event: StreamEvent, told: Told, place: Place, segment: JsonObject, plain: Plain): void
  /** Says something once more, for those who know it by this only: nothing is read back from it. */
  repeatEither(place: Place, segment: JsonObject, plain: Plain): void
  /** Says what the protocol has no word for. */
  sayOwn(event: StreamEvent): void
  emit(chunk: Chunk): void
  take(): readonly Chunk[]
  /** The next entry's turn. Its clock is looked at only where it is asked for: most chunks have no time (bench/rows/wire.ts). */
  turn(entry: Entry): void
}

/** The fields of an event that its chunk tells elsewhere. */
export type Told = ReadonlySet<string>

/** What a segment is as an event of its own. */
export interface Plain {
  readonly type: string
  readonly fields: Fields
}

/** Whether things are told by segments or by events of their own. */
export type Form = 'segments' | 'tools'

const NOTHING: Told = new Set()

export function createStream(drafts: Drafts, form: Form): Stream {
  const { add: emit, take } = createChunkQueue()
  let current: Entry | undefined

  function ownOf(event: StreamEvent, told: Told): JsonObject {
    const own: Record<string, Json> = {}
    for (const field in event) {
      const value = event[field as keyof StreamEvent] as Json | undefined
      if (value !== undefined && field !== 'sentAt' && !told.has(field)) own[field] = value
    }
    if (typeof own.messageId === 'string') own.messageId = drafts.idOf(own.messageId)
    return own
  }

  function say(event: StreamEvent, told: Told, type: string, fields: Fields): void {
    const { sentAt } = event
    const timed = sentAt === undefined ? fields : withTime(fields, sentAt)
    emit(chunkOf(type, { ...timed, millrace: ownOf(event, told) }))
  }

  function saySegment(event: StreamEvent, told: Told, { draft, index }: Place, segment: JsonObject): void {
    const data = { segment, segmentIndex: index, event: { id: draft.id } }
    // Almost no event has a time of its own.
    if (event.sentAt === undefined) emit({ type: 'segment', data, millrace: ownOf(event, told) })
    else say(event, told, 'segment', { data })
  }

  return {
    drafts,
    timeOf: ({ sentAt }) => sentAt ?? (current?.at || undefined),
    say,
    saySegment,
    sayEither(event, told, place, segment, { type, fields }) {
      if (form === 'tools' && drafts.isCurrent(place.draft)) say(event, told, type, fields)
      else saySegment(event, told, place, segment)
    },
    repeatEither({ draft, index }, segment, { type, fields }) {
      const isPlain = form === 'tools' && drafts.isCurrent(draft)
      const data = { segment, segmentIndex: index, event: { id: draft.id } }
      emit(isPlain ? chunkOf(type, { ...fields, millrace: {} }) : { type: 'segment', data, millrace: {} })
    },
    sayOwn: (event) => say(event, NOTHING, 'millrace', {}),
    emit,
    take,
    turn(entry) {
      current = entry
    },
  }
}

/** A piece of a text, with what else there is to say of it: almost always nothing. */
export function pieceWith(piece: Chunk, sentAt: number | undefined, meta: Meta | undefined): Chunk {
  if (sentAt === undefined && meta === undefined) return piece
  const metadata = sentAt === undefined ? undefined : { timestamp: sentAt }
  return { ...piece, ...defined({ metadata, millrace: meta === undefined ? undefined : { meta } }) }
}

function withTime(fields: Fields, timestamp: number): Fields {
  return { ...fields, metadata: { ...(fields.metadata as JsonObject | undefined), timestamp } }
}

/** What a segment says of itself that the protocol has no field for. Nothing where there is nothing. */
export function besides(fields: Fields): JsonObject {
  const millrace = defined(fields)
  return Object.keys(millrace).length === 0 ? {} : { millrace }
}
