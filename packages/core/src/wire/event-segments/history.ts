import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { Chunk, HistoryReader } from '../wire.ts'

/** An Event of the client's store. */
interface StoredEvent {
  fields: JsonObject
  readonly segments: JsonObject[]
}

/** Segments that the protocol knows. Its clients skip others, and pieces of text never belong to those. */
const CLIENT_TYPES: ReadonlySet<Json | undefined> = new Set([
  ...['text', 'reasoning', 'tool_call', 'tool_result'],
  ...['web_search_call', 'code_interpreter_call'],
])

const BUILT_IN_STATUS =
  /^(web_search_call|code_interpreter_call)_(in_progress|searching|interpreting|completed|failed)$/

/**
 * The Events of a thread, as a client of the protocol stores them: segments at their positions while an Event is written,
 * then the whole Event, and what comes after it. In both forms; the people's messages are Events, too.
 */
export function createEventSegmentsHistory(): HistoryReader {
  const events = new Map<string, StoredEvent>()
  let current: StoredEvent | undefined

  function putWhole({ segments, ...fields }: JsonObject): StoredEvent {
    const event = { fields, segments: [...(segments as readonly JsonObject[])] }
    events.set(String(fields.id), event)
    return event
  }

  function begin({ data }: Chunk): void {
    const event = putWhole((data as JsonObject).event as JsonObject)
    if (event.fields.role === 'assistant') current = event
  }

  function complete(event: Json | undefined): void {
    if (!isJsonObject(event)) return
    if (current?.fields.id === event.id) current = undefined
    putWhole(event)
  }

  function putSegment({ data }: Chunk): void {
    const { segment, segmentIndex, event } = data as JsonObject
    const stored = events.get(String((event as JsonObject).id))
    if (stored !== undefined) stored.segments[segmentIndex as number] = segment as JsonObject
  }

  const positionOf = (id: Json | undefined) =>
    current?.segments.findLastIndex((each) => each.id === id && each.type !== 'tool_result') ?? -1

  /** Changes the segment at a position of the current Event. */
  function change(at: number, fieldsOf: (segment: JsonObject) => Fields): void {
    const segment = current?.segments[at]
    if (segment !== undefined && current !== undefined)
      current.segments[at] = { ...segment, ...defined(fieldsOf(segment)) }
  }

  const add = (segment: Fields) => void current?.segments.push(defined(segment))

  function addThought({ item_id, delta, summary_index, sequence_number }: Chunk): void {
    change(positionOf(item_id), ({ parts }) => {
      const [before] = (parts ?? []) as readonly JsonObject[]
      const text = `${before?.text ?? ''}${delta}`
      return { parts: [defined({ ...before, summary_index, type: 'summary_text', text, sequence_number })] }
    })
  }

  function setStatus(type: string, status: string, { item_id: id, server_label, display_name }: Chunk): void {
    const at = positionOf(id)
    if (at === -1) add({ type, id, status, server_label, display_name })
    else change(at, () => ({ status }))
  }

  const rows: { readonly [type: string]: (chunk: Chunk) => void } = {
    event_start: begin,
    event_complete: ({ data }) => complete((data as JsonObject).event),
    message_final: ({ event }) => complete(event),
    segment: putSegment,
    token({ content }) {
      const at = current?.segments.findLastIndex(({ type }) => CLIENT_TYPES.has(type)) ?? -1
      change(at, ({ text }) => ({ text: `${text}${content}` }))
    },
    reasoning_summary_text_delta: addThought,
    text_start: ({ item_id: id }) => add({ type: 'text', id, text: '' }),
    reasoning_start: ({ item_id: id }) => add({ type: 'reasoning', id, parts: [] }),
    tool_start: ({ tool_id: id, tool_name: name, server_label, display_name }) =>
      add({ type: 'tool_call', id, name, args: {}, server_label, display_name }),
    tool_finalized: ({ tool_id, args }) => change(positionOf(tool_id), () => ({ args })),
    tool_result: ({ tool_id: id, output, error }) => add({ type: 'tool_result', id, output, error }),
    code_interpreter_call_code_done: ({ item_id, code }) => change(positionOf(item_id), () => ({ code })),
  }

  function take(chunk: Chunk): void {
    const type = String(chunk.type)
    const [, builtIn, status] = BUILT_IN_STATUS.exec(type) ?? []
    if (builtIn !== undefined && status !== undefined) setStatus(builtIn, status, chunk)
    else if (Object.hasOwn(rows, type)) rows[type]?.(chunk)
  }

  return {
    begin() {
      current = undefined
    },
    push: (_entry, chunks) => chunks.forEach(take),
    messages: () => [...events.values()].map(({ fields, segments }) => ({ ...fields, segments })),
  }
}
