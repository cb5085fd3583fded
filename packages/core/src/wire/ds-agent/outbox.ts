import type { Entry } from '../../entry.ts'
import type { Json, JsonObject } from '../../json.ts'
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
  /** An event of ours, or what of it the protocol has no word for, goes with the next message that is said. */
  ride(event: object): void
  take(): readonly Chunk[]
}

const NONE: readonly Chunk[] = []

/** How many events wait for a message to go with. */
const MOST_RIDERS = 64

/** A message that only carries others. */
const SILENT = draftOf(headOf('message', { kind: 'message' }, undefined), '', {}).metadata

export function createOutbox({ runId, threadId }: WireOptions): Outbox {
  const ids = createMessageIds(runId)
  const timestampOf = createTimestamps()
  let chunks: Chunk[] | undefined
  let held: Held | undefined
  let riders: Json[] | undefined
  let current: Entry | undefined
  /** Written when the entry says something: many say nothing (bench/rows/wire.ts). */
  let timestamp: string | undefined

  const now = () => current?.event.sentAt ?? current?.at ?? 0

  function put(messageId: string, content: string, metadata: JsonObject, { role = 'assistant', step }: Place): void {
    timestamp ??= timestampOf(now())
    const chunk = {
      role,
      content,
      metadata: riders === undefined ? metadata : withRiders(metadata, riders),
      message_id: messageId,
      timestamp,
      session_id: threadId,
      step_number: step?.number ?? null,
    }
    riders = undefined
    if (chunks === undefined) chunks = [chunk]
    else chunks.push(chunk)
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
    ride(event) {
      riders ??= []
      riders.push(event as Json)
      // A run may be silent for long.
      if (riders.length >= MOST_RIDERS) put(ids.next(), '', SILENT, { step: undefined })
    },
    take() {
      const taken = chunks ?? NONE
      chunks = undefined
      return taken
    },
  }
}

function withRiders(metadata: JsonObject, events: readonly Json[]): JsonObject {
  return { ...metadata, millrace: { ...(metadata.millrace as JsonObject | undefined), events } }
}
