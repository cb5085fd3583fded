import type { JsonObject } from '../../json.ts'
import type { Fields } from '../chunk-fields.ts'
import type { StreamIds } from './ids.ts'
import { ownOf, type Speech } from './message.ts'
import type { Held, Outbox, Place } from './outbox.ts'

/**
 * One message that comes in phases: an empty one that announces it, pieces, and one that has all of it and replaces
 * what was there. A text that is whole before a second piece of it comes is one message, without phases.
 */
export interface MessageStream {
  add(text: string): void
  /** A piece of which there is more to tell than its words, if it has any. */
  addWith(text: string, own: Fields): void
  /** Another text than the pieces make. */
  rewrite(text: string): void
  text(): string
  /** Says that it has begun, where that was held back. */
  open(): void
  isOpen(): boolean
  /** Holds it back no matter what is said before it. */
  standBack(): void
  /** Says all of it, as what it has turned out to be. Gives the id under which it stands. */
  finish(speech: Speech, own: Fields): string
}

/** Whether a piece is due: `sent` is how much of the text the client has. */
export interface Pacing {
  readonly isWhole: boolean
  isDue(length: number, sent: number): boolean
}

/** Pieces are what has been added since the last one. */
export const incremental: Pacing = { isWhole: false, isDue: () => true }

const LEAST_GROWTH = 64

/**
 * Pieces are all of the text so far. A client that knows only those gets one whenever a quarter more is there: then all
 * of them together are at most some five times the text, however long it is.
 */
export const cumulative: Pacing = {
  isWhole: true,
  isDue: (length, sent) => sent === 0 || length - sent >= Math.max(LEAST_GROWTH, sent / 4),
}

export function createStream(outbox: Outbox, pacing: Pacing, speech: Speech, place: Place, own: Fields): MessageStream {
  let ids: StreamIds | undefined
  let pieces: JsonObject | undefined
  let text = ''
  let sent = 0
  let isRewritten = false
  const held: Held = { release: begin }

  function begin(): void {
    if (ids !== undefined) return
    ids = outbox.ids.stream(place.step?.number ?? 0, speech.type)
    const state = { streaming: true, status: 'streaming', stream_id: ids.streamId }
    const initial = { ...speech.metadata, ...state, is_delta: false, is_initial_stream: true }
    outbox.put(ids.messageId, '', { ...initial, ...ownOf(own) }, place)
    pieces = { ...speech.metadata, ...state, is_delta: true }
    if (text !== '') piece(text)
  }

  function piece(added: string): void {
    if (ids === undefined || pieces === undefined || !pacing.isDue(text.length, sent)) return
    sent = text.length
    outbox.put(ids.messageId, pacing.isWhole ? text : added, pieces, place)
  }

  function open(): void {
    if (ids !== undefined) return
    if (outbox.unhold(held)) begin()
    else {
      outbox.release()
      begin()
    }
  }

  outbox.hold(held)
  return {
    add(added) {
      if (ids === undefined && text !== '') open()
      text += added
      if (ids !== undefined) piece(added)
    },
    addWith(added, own) {
      open()
      text += added
      sent = text.length
      if (ids === undefined || pieces === undefined) return
      outbox.put(ids.messageId, pacing.isWhole ? text : added, { ...pieces, ...ownOf(own) }, place)
    },
    rewrite(whole) {
      if (whole === text) return
      if (text !== '') open()
      text = whole
      isRewritten = true
    },
    text: () => text,
    open,
    isOpen: () => ids !== undefined,
    standBack: () => void outbox.unhold(held),
    finish(last, own) {
      const isStreamed = ids !== undefined
      if (!outbox.unhold(held)) outbox.release()
      const { content, metadata } = last.whole(text, isStreamed && !isRewritten)
      const messageId = ids?.messageId ?? outbox.ids.next()
      const state = { streaming: false, status: 'done', ...(ids !== undefined && { stream_id: ids.streamId }) }
      const marks = { text: content === text ? undefined : text, isRewritten: isRewritten || undefined }
      const millrace = ownOf({ ...own, ...marks })
      outbox.put(messageId, content, { ...metadata, ...state, is_delta: false, ...millrace }, place)
      return messageId
    },
  }
}

/** Says a text of which nothing was said, as a stream of this one piece would (bench/rows/wire.ts). */
export function sayAtOnce(outbox: Outbox, speech: Speech, text: string, place: Place, own: Fields): void {
  outbox.release()
  const { content, metadata } = speech.whole(text, false)
  const millrace = ownOf({ ...own, text: content === text ? undefined : text })
  const whole = { ...metadata, streaming: false, status: 'done', is_delta: false, ...millrace }
  outbox.put(outbox.ids.next(), content, whole, place)
}
