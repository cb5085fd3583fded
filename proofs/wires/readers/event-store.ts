import type { Json, JsonObject } from '../../../packages/core/src/json.ts'
import type { Chunk } from '../../../packages/core/src/wire/wire.ts'

interface Segment {
  readonly type: string
  readonly id?: string
  readonly [field: string]: Json | undefined
}

interface Event {
  readonly id: string
  readonly role: string
  readonly segments: readonly Segment[]
  readonly response_metadata?: { readonly completion_status?: string }
}

type Record = Chunk & {
  readonly event?: Event
  readonly data?: { readonly event: Event; readonly segment: Segment; readonly segmentIndex: number }
}

export interface EventStore {
  receive(chunk: Chunk): void
  /** All Events, in the order in which they began. */
  events(): readonly unknown[]
}

/** Segments whose ids are those of others, or may be. */
const NOT_MEANT: ReadonlySet<string> = new Set(['tool_result', 'data'])

/** The Events of a client that keeps unfinished ones, too: written from the protocol's text, for both of its forms. */
export function createEventStore(loaded: readonly JsonObject[] = []): EventStore {
  let events = loaded as unknown as readonly Event[]
  /** The text that began last, which gets the tokens. */
  let text = openEvent()?.segments.findLast(({ type }) => type === 'text')?.id

  function openEvent(): Event | undefined {
    const isOpen = ({ role, response_metadata: { completion_status = 'partial' } = {} }: Event) =>
      role === 'assistant' && completion_status === 'partial'
    return events.findLast(isOpen)
  }

  function put(event: Event): void {
    const at = events.findIndex(({ id }) => id === event.id)
    events = at === -1 ? [...events, event] : events.with(at, event)
  }

  function edit(event: Event | undefined, edited: (segments: readonly Segment[]) => readonly Segment[]): void {
    if (event !== undefined) put({ ...event, segments: edited(event.segments) })
  }

  const append = (segment: Segment) => edit(openEvent(), (segments) => [...segments, withValues(segment)])

  /** Call ids may repeat: the newest segment is meant. Data of applications have ids of their own. */
  function amend(id: unknown, fields: (segment: Segment) => object): void {
    edit(openEvent(), (segments) => {
      const at = segments.findLastIndex((each) => each.id === id && !NOT_MEANT.has(each.type))
      const segment = segments[at]
      return segment === undefined ? segments : segments.with(at, withValues({ ...segment, ...fields(segment) }))
    })
  }

  function setSegment({ event, segment, segmentIndex }: NonNullable<Record['data']>): void {
    const owner = events.find(({ id }) => id === event.id)
    const isNew = owner !== undefined && segmentIndex >= owner.segments.length
    if (isNew && segment.type === 'text' && owner === openEvent()) text = segment.id
    edit(owner, (segments) => (isNew ? [...segments, segment] : segments.with(segmentIndex, segment)))
  }

  function advance(type: string, status: string, { item_id, server_label, display_name }: Record): void {
    const isThere = openEvent()?.segments.some(({ id }) => id === item_id) === true
    if (isThere) amend(item_id, () => ({ status }))
    else append({ type, id: String(item_id), status, server_label, display_name })
  }

  return {
    receive(chunk) {
      const record = chunk as Record
      const { type, data, item_id, tool_id, content, delta } = record
      const [, tool, status] = /^((?:web_search|code_interpreter)_call)_(?!code)(\w+)$/.exec(String(type)) ?? []
      if (tool !== undefined && status !== undefined) advance(tool, status, record)
      else if ((type === 'event_start' || type === 'event_complete') && data !== undefined) put(data.event)
      else if (type === 'message_final' && record.event !== undefined) put(record.event)
      else if (type === 'segment' && data !== undefined) setSegment(data)
      else if (type === 'text_start') {
        text = String(item_id)
        append({ type: 'text', id: text, text: '' })
      } else if (type === 'reasoning_start') append({ type: 'reasoning', id: String(item_id), parts: [] })
      else if (type === 'token') amend(text, (segment) => ({ text: `${segment.text}${content}` }))
      else if (type === 'reasoning_summary_text_delta') {
        const { summary_index, sequence_number } = record
        amend(item_id, ({ parts }) => {
          const [part] = parts as unknown as readonly { readonly text: string }[]
          const grown = { type: 'summary_text', text: (part?.text ?? '') + String(delta) }
          return { parts: [{ ...part, summary_index, ...grown, sequence_number }] }
        })
      } else if (type === 'tool_start') {
        const { tool_name: name, server_label, display_name } = record
        append({ type: 'tool_call', id: String(tool_id), name, args: {}, server_label, display_name })
      } else if (type === 'tool_finalized') amend(tool_id, () => ({ args: record.args }))
      else if (type === 'code_interpreter_call_code_done') amend(item_id, () => ({ code: record.code }))
      else if (type === 'tool_result') {
        append({ type: 'tool_result', id: String(tool_id), output: record.output, error: record.error })
      }
    },
    events: () => events,
  }
}

/** Optional means absent. */
function withValues(segment: Segment): Segment {
  return Object.fromEntries(Object.entries(segment).filter(([, value]) => value !== undefined)) as Segment
}
