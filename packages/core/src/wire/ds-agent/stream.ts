import type { JsonObject } from '../../json.ts'
import { type Fields, underMillrace } from '../chunk-fields.ts'
import type { StreamIds } from './ids.ts'
import type { MessageTemplate, Metadata } from './message.ts'
import type { Held, Outbox, Speaker } from './outbox.ts'

/**
 * One message that is sent in phases: an empty message that announces it, deltas, and a last message with the whole text,
 * which replaces the others. A text that is complete before its second delta is one message without phases.
 */
export interface MessageStream {
  add(text: string): void
  /** Adds a delta that has extra fields; its text may be empty. */
  addWith(text: string, extra: Fields): void
  /** Replaces the text of the deltas. */
  rewrite(text: string): void
  text(): string
  /** Sends the message that announces it, if that was held back. */
  open(): void
  isOpen(): boolean
  /** Takes it out of the outbox's hold, so that other messages no longer make it begin. */
  withdraw(): void
  /** Sends the whole text with the final template. Returns the message's id. */
  finish(template: MessageTemplate, extra: Fields): string
}

/** Decides when a delta is due. The client got a text of the length `sent` some milliseconds before, by the clock of the entries. */
export interface Pacing {
  readonly isWhole: boolean
  isDue(length: number, sent: number, elapsed: number): boolean
}

/** A delta is the text that was added since the last one. */
export const incremental: Pacing = { isWhole: false, isDue: () => true }

const LEAST_GROWTH = 64

/** A page that shows no more for this long seems to stand still, in ms. */
const LONGEST_PAUSE = 250

/** How many characters of deltas a slow text may cost, per ms. */
const MOST_CHARACTERS = 32

/**
 * A delta is the whole text so far. It is sent when the text has grown by a quarter, so that these deltas together are at
 * most about five times the text, however long it is; and after a pause, which grows with the text, so that a slow text costs
 * a bounded number of characters in a second.
 */
export const cumulative: Pacing = {
  isWhole: true,
  isDue: (length, sent, elapsed) =>
    sent === 0 ||
    length - sent >= Math.max(LEAST_GROWTH, sent / 4) ||
    elapsed >= Math.max(LONGEST_PAUSE, length / MOST_CHARACTERS),
}

export function createStream(
  outbox: Outbox,
  pacing: Pacing,
  template: MessageTemplate,
  speaker: Speaker,
  extra: Fields,
): MessageStream {
  let ids: StreamIds | undefined
  let deltaMetadata: JsonObject | undefined
  let text = ''
  let sent = 0
  let sentAt = 0
  let isRewritten = false
  const held: Held = { release: begin }

  function begin(): void {
    if (ids !== undefined) return
    ids = outbox.ids.stream(speaker.step?.number ?? 0, template.type)
    const state = { streaming: true, status: 'streaming', stream_id: ids.streamId }
    const metadata = template.metadata()
    const initial = { ...metadata, ...state, is_delta: false, is_initial_stream: true }
    outbox.emitAs(ids.messageId, '', { ...initial, ...underMillrace(extra) }, speaker)
    deltaMetadata = { ...metadata, ...state, is_delta: true }
    if (text !== '') emitDelta(text)
  }

  function emitDelta(added: string): void {
    if (ids === undefined || deltaMetadata === undefined) return
    if (!pacing.isDue(text.length, sent, pacing.isWhole ? outbox.now() - sentAt : 0)) return
    markSent()
    outbox.emitAs(ids.messageId, pacing.isWhole ? text : added, deltaMetadata, speaker)
  }

  function markSent(): void {
    sent = text.length
    if (pacing.isWhole) sentAt = outbox.now()
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
      if (ids !== undefined) emitDelta(added)
    },
    addWith(added, extra) {
      open()
      text += added
      markSent()
      if (ids === undefined || deltaMetadata === undefined) return
      outbox.emitAs(
        ids.messageId,
        pacing.isWhole ? text : added,
        { ...deltaMetadata, ...underMillrace(extra) },
        speaker,
      )
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
    withdraw: () => void outbox.unhold(held),
    finish(lastTemplate, extra) {
      const isStreamed = ids !== undefined
      if (!outbox.unhold(held)) outbox.release()
      const { content, metadata } = lastTemplate.whole(text, isStreamed && !isRewritten)
      const messageId = ids?.messageId ?? outbox.ids.next()
      const marks = { text: content === text ? undefined : text, isRewritten: isRewritten || undefined }
      outbox.emitAs(messageId, content, finished(metadata, ids?.streamId, { ...extra, ...marks }), speaker)
      return messageId
    },
  }
}

/** Emits a text of which nothing was sent, as a stream with this one delta would (bench/rows/wire.ts). */
export function emitAtOnce(
  outbox: Outbox,
  template: MessageTemplate,
  text: string,
  speaker: Speaker,
  extra: Fields,
): void {
  outbox.release()
  const { content, metadata } = template.whole(text, false)
  const ours = { ...extra, text: content === text ? undefined : text }
  outbox.emitAs(outbox.ids.next(), content, finished(metadata, undefined, ours), speaker)
}

/** The metadata of a last message. Takes over what it is given. */
function finished(metadata: Metadata, streamId: string | undefined, extra: Fields): Metadata {
  metadata.streaming = false
  metadata.status = 'done'
  if (streamId !== undefined) metadata.stream_id = streamId
  metadata.is_delta = false
  const { millrace } = underMillrace(extra)
  if (millrace !== undefined) metadata.millrace = millrace
  return metadata
}
