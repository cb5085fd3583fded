import type { Entry } from '../../entry.ts'
import type { Json, JsonObject } from '../../json.ts'
import { createChunkQueue, createRiders, type Riders } from '../responses.ts'
import type { Chunk, WireOptions } from '../wire.ts'
import { createMessageIds, type MessageIds } from './ids.ts'
import { type Draft, draftOf, headOf, type Step } from './message.ts'
import { createTimestamps } from './times.ts'

/** Something that has begun and is not said yet, because it may be whole with the next event. */
export interface Held {
  /** Says it as it is. */
  release(): void
}

/** Who speaks, where. */
export interface Place {
  readonly role?: 'user' | 'assistant'
  readonly step: Step | undefined
}

/** Where messages are put together and handed out, in order. */
export interface Outbox {
  readonly ids: MessageIds
  /** When the entry under way was, in milliseconds. */
  now(): number
  /** The next entry's turn. */
  turn(entry: Entry): void
  /** Says a message, behind what is held. Gives its id. */
  say(draft: Draft, place: Place): string
  /** Says a message under an id, and lets what is held be held. */
  put(messageId: string, content: string, metadata: JsonObject, place: Place): void
  /** Holds something back. Only one thing is held at a time, so that all begin in the order in which they began. */
  hold(held: Held): void
  /** Whether it was held; it is not any more. */
  unhold(held: Held): boolean
  release(): void
  /** The metadata of the next message holds them: events, or the fields of one that the protocol has no field for. */
  readonly riders: Riders
  take(): readonly Chunk[]
}

/** A message that only carries others. */
const SILENT = draftOf(headOf('message', { kind: 'message' }, undefined), '', {}).metadata

export function createOutbox({ runId, threadId }: WireOptions): Outbox {
  const ids = createMessageIds(runId)
  const timestampOf = createTimestamps()
  const queue = createChunkQueue()
  const riders = createRiders(() => put(ids.next(), '', SILENT, { step: undefined }))
  let held: Held | undefined
  let current: Entry | undefined
  /** Written when the entry says something: many say nothing (bench/rows/wire.ts). */
  let timestamp: string | undefined

  const now = () => current?.event.sentAt ?? current?.at ?? 0

  function put(messageId: string, content: string, metadata: JsonObject, { role = 'assistant', step }: Place): void {
    timestamp ??= timestampOf(now())
    const events = riders.take()
    queue.add({
      role,
      content,
      metadata: events === undefined ? metadata : withRiders(metadata, events),
      message_id: messageId,
      timestamp,
      session_id: threadId,
      step_number: step?.number ?? null,
    })
  }

  function release(): void {
    const released = held
    held = undefined
    released?.release()
  }

  return {
    ids,
    now,
    turn(entry) {
      current = entry
      timestamp = undefined
    },
    say({ content, metadata }, place) {
      release()
      const messageId = ids.next()
      put(messageId, content, metadata, place)
      return messageId
    },
    put,
    hold(next) {
      release()
      held = next
    },
    unhold(one) {
      if (held !== one) return false
      held = undefined
      return true
    },
    release,
    riders,
    take: queue.take,
  }
}

function withRiders(metadata: JsonObject, events: readonly Json[]): JsonObject {
  return { ...metadata, millrace: { ...(metadata.millrace as JsonObject | undefined), events } }
}
