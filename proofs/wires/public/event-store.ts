import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'

export type Fields = { readonly [field: string]: Json | undefined }

export interface Event {
  readonly id: string
  readonly role: string
  segments: (Fields | undefined)[]
  metadata: Fields
}

export const CALLS = ['tool_call', 'web_search_call', 'code_interpreter_call'] as const
const PROTOCOL: ReadonlySet<Json | undefined> = new Set(['text', 'reasoning', 'tool_result', ...CALLS])

/** Applies segments and deltas, and throws if an Event that is complete is not what was sent of it. */
export function createStore() {
  const events = new Map<string, Event>()
  let current: Event | undefined

  const rows: { readonly [type: string]: (chunk: Chunk) => void } = {
    event_start({ data }) {
      const { id, role, response_metadata } = (data as { readonly event: Fields }).event
      const event: Event = {
        id: String(id),
        role: String(role),
        segments: [],
        metadata: (response_metadata ?? {}) as Fields,
      }
      if (events.has(event.id)) throw new Error(`${event.id} begins twice.`)
      events.set(event.id, event)
      if (role === 'assistant') current = event
    },
    segment({ data }) {
      const { segment, segmentIndex, event } = data as {
        readonly segment: Fields
        readonly segmentIndex: number
        readonly event: Fields
      }
      const owner = events.get(String(event.id))
      if (owner === undefined) throw new Error(`No Event ${String(event.id)}.`)
      owner.segments[segmentIndex] = segment
    },
    token({ content }) {
      // A client skips segments of other types than the protocol's.
      const at = current?.segments.findLastIndex((segment) => PROTOCOL.has(segment?.type)) ?? -1
      const last = current?.segments[at]
      if (current === undefined || last?.type !== 'text') throw new Error(`No text takes ${JSON.stringify(content)}.`)
      current.segments[at] = { ...last, text: String(last.text) + String(content) }
    },
    reasoning_summary_text_delta({ item_id, delta }) {
      const at = current?.segments.findIndex((segment) => segment?.id === item_id) ?? -1
      const thought = current?.segments[at]
      if (current === undefined || thought === undefined) throw new Error(`No thought ${String(item_id)}.`)
      current.segments[at] = { ...thought, parts: [{ text: textOf(thought) + String(delta) }] }
    },
    event_complete({ data }) {
      const { id, segments, response_metadata } = (data as { readonly event: Fields }).event
      const event = events.get(String(id))
      if (event === undefined) throw new Error(`No Event ${String(id)}.`)
      const live = event.segments.map(
        (segment) => segment && [segment.type, textOf(segment), segment.args, segment.output],
      )
      const stored = (segments as unknown as readonly Fields[]).map((segment) => [
        segment.type,
        textOf(segment),
        segment.args,
        segment.output,
      ])
      if (!isDeepStrictEqual(live, stored)) {
        throw new Error(`${String(id)} is not what was sent of it: ${JSON.stringify(live)} ${JSON.stringify(stored)}`)
      }
      event.segments = [...(segments as unknown as readonly Fields[])]
      event.metadata = (response_metadata ?? {}) as Fields
      if (current === event) current = undefined
    },
  }
  return { events, push: (chunk: Chunk) => rows[String(chunk.type)]?.(chunk) }
}

/** The text of a segment, in one piece or in parts. */
export function textOf({ text, parts }: Fields): string {
  return typeof text === 'string'
    ? text
    : ((parts ?? []) as readonly Fields[]).map((part) => String(part.text)).join('')
}
