import type { Entry } from '../../entry.ts'
import type { Json, JsonObject } from '../../json.ts'
import { createChunkQueue, createRiders, type Riders } from '../responses.ts'
import type { Chunk, WireOptions } from '../wire.ts'
import { createMessageIds, type MessageIds } from './ids.ts'
import { type Draft, draftOf, headOf, type Step } from './message.ts'
import { createTimestamps } from './times.ts'

/** A message that has begun but was not sent, because it may be complete with the next event. */
export interface Held {
  /** Sends what there is. */
  release(): void
}

/** The role and step of a message. */
export interface Speaker {
  readonly role?: 'user' | 'assistant'
  readonly step: Step | undefined
}

/** Builds messages and hands them out in order. */
export interface Outbox {
  readonly ids: MessageIds
  /** The time of the current entry, in milliseconds. */
  now(): number
  /** Sets the current entry. */
  beginEntry(entry: Entry): void
  /** Emits a message after the held one. Returns its id. */
  emit(draft: Draft, speaker: Speaker): string
  /** Emits a message under an id, and keeps the held one. */
  emitAs(messageId: string, content: string, metadata: JsonObject, speaker: Speaker): void
  /** Holds a message back. Only one is held at a time, so that messages are sent in the order in which they began. */
  hold(held: Held): void
  /** Stops holding it. Returns whether it was held. */
  unhold(held: Held): boolean
  release(): void
  /** They travel in the metadata of the next message: events, or fields of an event that the protocol does not have. */
  readonly riders: Riders
  take(): readonly Chunk[]
}

/** The metadata of a message that only carries riders. */
const EMPTY_METADATA = draftOf(headOf('message', { kind: 'message' }, undefined), '', {}).metadata

export function createOutbox({ runId, threadId }: WireOptions): Outbox {
  const ids = createMessageIds(runId)
  const timestampOf = createTimestamps()
  const queue = createChunkQueue()
  const riders = createRiders(() => emitAs(ids.next(), '', EMPTY_METADATA, { step: undefined }))
  let held: Held | undefined
  let current: Entry | undefined
  /** Computed when the entry emits a message: many emit none (bench/rows/wire.ts). */
  let timestamp: string | undefined

  const now = () => current?.event.sentAt ?? current?.at ?? 0

  function emitAs(
    messageId: string,
    content: string,
    metadata: JsonObject,
    { role = 'assistant', step }: Speaker,
  ): void {
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
    beginEntry(entry) {
      current = entry
      timestamp = undefined
    },
    emit({ content, metadata }, speaker) {
      release()
      const messageId = ids.next()
      emitAs(messageId, content, metadata, speaker)
      return messageId
    },
    emitAs,
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
