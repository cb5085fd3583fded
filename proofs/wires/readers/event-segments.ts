import { EventBuilder } from '@millrace/core/fold/event-builder'
import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Content } from '@millrace/testkit/content'

/** What the client reads of a record; its fields are at the root or in `data`. */
interface Fields {
  readonly type: string
  readonly event?: RawEvent
  readonly segment?: RawSegment
  readonly content?: string
  readonly delta?: string
  readonly tool_id?: string
  readonly tool_name?: string
  readonly item_id?: string
  readonly args?: Json
  readonly output?: Json
  readonly error?: Json
  readonly code?: string
  readonly summary_index?: number
  readonly sequence_number?: number
}

interface RawEvent {
  readonly id: string
  readonly role?: ChatEvent['role']
  readonly response_metadata?: { readonly [key: string]: Json }
}

interface RawSegment {
  readonly type: string
  readonly id: string
  readonly text?: string
  readonly parts?: readonly { readonly text: string }[]
  readonly name?: string
  readonly args?: Json
  readonly output?: Json
  readonly error?: string
  readonly status?: string
  readonly code?: string
}

export interface ClientOptions {
  /** Finished Events, by id: the client's store. */
  readonly store?: Map<string, ChatEvent>
  /** The id that the client gave the assistant's first Event before the server knew of it. */
  readonly placeholderEventId?: string
}

export interface Client {
  push(chunk: Chunk): void
  /** The stream is over: unfinished Events were interrupted. */
  end(): void
  /** The ids of texts, thoughts and calls, in the order in which they began. */
  readonly order: readonly string[]
  /** All Events: finished ones, and drafts. */
  events(): readonly ChatEvent[]
}

const BUILT_IN = /^(web_search_call|code_interpreter_call)(?:_(in_progress|searching|interpreting|completed|failed))?$/

/** Translates a stream of Events and segments, in either form, into calls of the builder: one builder for each Event. */
export function createClient({ store = new Map(), placeholderEventId }: ClientOptions = {}): Client {
  const drafts = new Map<string, ChatEvent>()
  const builders = new Map<string, EventBuilder>()
  const callers = new Map<string, EventBuilder>()
  const order = new Set<string>()
  let current: EventBuilder | undefined
  let firstId = placeholderEventId

  function begin({ id, role = 'assistant', response_metadata }: RawEvent): void {
    const eventId = role === 'assistant' ? (firstId ?? id) : id
    if (role === 'assistant') firstId = undefined
    const builder = new EventBuilder({
      placeholderEventId: eventId,
      onUpdate: (draft) => drafts.set(draft.id, { ...draft, role }),
      onFinalize(event) {
        drafts.delete(event.id)
        store.set(event.id, { ...event, role })
      },
    })
    builders.set(id, builder)
    if (role === 'assistant') current = builder
    builder.startAssistantEvent(id, response_metadata)
  }

  /** The Event that a record names, otherwise the current one. */
  function builderOf({ event }: Fields): EventBuilder {
    const builder = event === undefined ? current : builders.get(event.id)
    if (builder === undefined) throw new Error(`no Event ${event?.id ?? 'is open'}`)
    return builder
  }

  function caller(id: string, fields: Fields): EventBuilder {
    order.add(id)
    const builder = callers.get(id) ?? builderOf(fields)
    callers.set(id, builder)
    return builder
  }

  function finish({ event }: Fields): void {
    const builder = event === undefined ? undefined : builders.get(event.id)
    builder?.finalizeCurrentEvent()
    if (builder === current) current = undefined
  }

  function whole(fields: Fields, id: string, type: 'text' | 'reasoning', text: string): void {
    order.add(id)
    builderOf(fields).upsertSegment({ id, type, text })
  }

  function setStatus(fields: Fields, type: string, id: string, status: string, code?: string): void {
    const toolStatus = { id, type, status, ...(code !== undefined && { code }) }
    caller(id, fields).setBuiltInToolStatus(toolStatus as Parameters<EventBuilder['setBuiltInToolStatus']>[0])
  }

  function complete(fields: Fields, id: string, { output, error }: { output?: Json; error?: Json }): void {
    const failure = error === undefined || error === null ? {} : { error: String(error) }
    caller(id, fields).completeTool({ id, ...(output !== undefined && { output }), ...failure })
  }

  const segments: { readonly [type: string]: (fields: Fields, segment: RawSegment) => void } = {
    text: (fields, { id, text = '' }) => whole(fields, id, 'text', text),
    reasoning: (fields, { id, parts = [] }) =>
      whole(fields, id, 'reasoning', parts.map(({ text }) => text).join('\n\n')),
    tool_call(fields, { id, name = '', args = {} }) {
      caller(id, fields).startToolCall({ id, name })
      caller(id, fields).finalizeToolArgs({ id, args })
    },
    tool_result: (fields, segment) => complete(fields, segment.id, segment),
  }

  const rows: { readonly [type: string]: (fields: Fields) => void } = {
    event: ({ event }) => event && begin(event),
    event_start: ({ event }) => event && begin(event),
    event_complete: finish,
    message_final: finish,
    segment(fields) {
      const { segment } = fields
      if (segment === undefined) return
      segments[segment.type]?.(fields, segment)
      if (!BUILT_IN.test(segment.type)) return
      setStatus(fields, segment.type, segment.id, segment.status ?? 'in_progress', segment.code)
      if (segment.args !== undefined)
        caller(segment.id, fields).finalizeToolArgs({ id: segment.id, args: segment.args })
    },
    text_start: (fields) => whole(fields, fields.item_id ?? '', 'text', ''),
    reasoning_start: (fields) => whole(fields, fields.item_id ?? '', 'reasoning', ''),
    token: (fields) => builderOf(fields).appendTextDelta(fields.content ?? ''),
    reasoning_summary_text_delta: (fields) =>
      builderOf(fields).upsertReasoningPart({
        summary_index: fields.summary_index ?? 0,
        text: fields.delta ?? '',
        is_complete: false,
        sequence_number: fields.sequence_number ?? 0,
      }),
    tool_start: (fields) =>
      caller(fields.tool_id ?? '', fields).startToolCall({ id: fields.tool_id ?? '', name: fields.tool_name ?? '' }),
    tool_finalized: (fields) =>
      caller(fields.tool_id ?? '', fields).finalizeToolArgs({ id: fields.tool_id ?? '', args: fields.args ?? {} }),
    tool_result: (fields) => complete(fields, fields.tool_id ?? '', fields),
    mcp_tool_complete: (fields) => complete(fields, fields.tool_id ?? '', fields),
    code_interpreter_call_code_done: (fields) =>
      setStatus(fields, 'code_interpreter_call', fields.item_id ?? '', 'in_progress', fields.code),
  }

  return {
    push(chunk) {
      const fields = { ...(chunk.data as object), ...chunk } as unknown as Fields
      const [, tool, status] = BUILT_IN.exec(fields.type) ?? []
      if (tool !== undefined && status !== undefined) setStatus(fields, tool, fields.item_id ?? '', status)
      else rows[fields.type]?.(fields)
    },
    end() {
      current?.interruptCurrentEvent()
      for (const builder of builders.values()) builder.finalizeCurrentEvent()
    },
    get order() {
      return [...order]
    },
    events: () => [...new Map([...store, ...drafts]).values()],
  }
}

/** What the client holds at the end, as the suites compare it. */
export async function eventSegmentsContent(chunks: readonly Chunk[]): Promise<Content> {
  const client = createClient()
  for (const chunk of chunks) client.push(chunk)
  client.end()
  const byId = new Map(client.events().flatMap(({ segments }) => segments.map((each) => [idOf(each), each] as const)))
  const drawn = client.order.flatMap((id) => byId.get(id) ?? [])
  const textsOf = (kind: 'text' | 'reasoning') => drawn.flatMap((each) => (each.type === kind ? [each.text] : []))
  return {
    texts: textsOf('text'),
    reasonings: textsOf('reasoning'),
    tools: drawn.flatMap((each) =>
      each.type === 'tool' ? [{ name: each.name, input: each.input, output: each.output }] : [],
    ),
  }
}

function idOf(segment: Segment): string | undefined {
  if (segment.type === 'tool') return segment.callId
  return segment.type === 'text' || segment.type === 'reasoning' ? segment.id : undefined
}
