import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type EventScope, SILENT, understood } from '../parser.ts'
import { isContent } from './content.ts'
import { planEvent, planUpdateEvent } from './plans.ts'
import type { ProseKind } from './prose.ts'
import type { Content, RawUsage, ToolCall, ToolContent, Update } from './raw.ts'
import type { State } from './state.ts'
import { type ContextUse, contextEvents, usageEvents } from './usage.ts'

type Row = (update: never, state: State, scope: EventScope) => readonly StreamEvent[] | undefined

/** One content block; some agents send several. */
interface Chunk {
  readonly content: Content | readonly Content[]
  readonly messageId?: string | null
}

interface Whole {
  readonly content?: readonly Content[] | null
  readonly messageId: string
}

const text = { kind: 'text' } as const
const thought = { kind: 'reasoning', variant: 'thinking' } as const
const summary = { kind: 'reasoning', variant: 'summary' } as const

const rows = {
  user_message_chunk({ content, messageId }: Chunk, state, scope) {
    const parts = partsOf(content)
    if (!parts.every(isContent)) return undefined
    if (state.consumeEcho(parts)) return SILENT
    const entered = state.enter('user', scope, messageId ?? '')
    const key = keyOf('user', messageId, scope)
    return understood([...entered, ...parts.flatMap((part) => state.prose.chunk(part, text, key, scope))])
  },
  agent_message_chunk: ({ content, messageId }: Chunk, state, scope) =>
    chunkEvents(content, text, keyOf('text', messageId, scope), state, scope),
  agent_thought_chunk: ({ content, messageId }: Chunk, state, scope) =>
    chunkEvents(content, thought, keyOf('thought', messageId, scope), state, scope),
  user_message({ content, messageId }: Whole, state, scope) {
    if (!areContents(content)) return undefined
    if (state.consumeEcho(content)) return SILENT
    const entered = state.enter('user', scope, messageId)
    return understood([...entered, ...state.prose.whole(content, text, keyOf('user', messageId, scope), scope)])
  },
  agent_message: ({ content, messageId }: Whole, state, scope) =>
    wholeEvents(content, text, keyOf('text', messageId, scope), state, scope),
  agent_thought: ({ content, messageId }: Whole, state, scope) =>
    wholeEvents(content, thought, keyOf('thought', messageId, scope), state, scope),
  tool_call: callEvents,
  tool_call_update: callEvents,
  tool_call_content_chunk: ({ toolCallId, content }: { toolCallId: string; content: ToolContent }, state, scope) =>
    state.tools.add(toolCallId, content, scope),
  terminal_update: (update: Update, state, scope) => [terminalEvent(update, state, scope)],
  terminal_output_chunk: (update: Update, state, scope) => [terminalEvent(update, state, scope)],
  plan: ({ entries }: { entries: never }, state, scope) => state.aside([planEvent(entries, undefined, scope)], scope),
  plan_update: ({ plan }: { plan: Json }, state, scope) => state.aside([planUpdateEvent(plan, scope)], scope),
  plan_removed: ({ planId }: { planId: string }, state, scope) => state.aside([planEvent([], planId, scope)], scope),
  available_commands_update: (update: Update) => [metadataEvent(update)],
  current_mode_update: (update: Update) => [metadataEvent(update)],
  config_option_update: (update: Update) => [metadataEvent(update)],
  session_info_update: (update: Update) => [metadataEvent(update)],
  usage_update: (update: ContextUse) => contextEvents(update),
  notice: (update: Notice, state, scope) => state.aside([noticeEvent(update, scope)], scope),
  compaction_update: (update: Compaction, state, scope) => state.aside(compactionEvents(update, scope), scope),
  compaction_summary_chunk: ({ content, compactionId }: SummaryChunk, state, scope) =>
    chunkEvents(content, summary, keyOf('summary', compactionId, scope), state, scope),
  state_update({ state: newState, stopReason, usage }: StateUpdate, state) {
    if (newState === 'idle') return understood([...usageEvents(usage), ...state.stop(stopReason ?? 'end_turn')])
    if (newState === 'running') state.resume()
    return newState === 'running' || newState === 'requires_action' ? SILENT : undefined
  },
} satisfies { readonly [sessionUpdate: string]: Row }
const table = new Map(Object.entries(rows)) as unknown as ReadonlyMap<string, Row>

/** Returns undefined if the update is unknown. */
export function updateEvents(update: Update, state: State, scope: EventScope): readonly StreamEvent[] | undefined {
  return table.get(update.sessionUpdate)?.(update as never, state, scope)
}

interface SummaryChunk {
  readonly content: Content
  readonly compactionId: string
}

/** The events of a chunk of the agent. Returns undefined if its content is of an unsupported kind. */
function chunkEvents(
  content: Chunk['content'],
  proseKind: ProseKind,
  key: string,
  state: State,
  scope: EventScope,
): readonly StreamEvent[] | undefined {
  const parts = partsOf(content)
  if (!parts.every(isContent)) return undefined
  const entered = state.enter('assistant', scope)
  return understood([...entered, ...parts.flatMap((part) => state.prose.chunk(part, proseKind, key, scope))])
}

/** The events of a changed call; an update that emits no event yet is held with the call. */
function callEvents(call: ToolCall, state: State, scope: EventScope): readonly StreamEvent[] | undefined {
  const events = state.callEvents(call, scope)
  const meta = call._meta ?? {}
  const isReadable = isJsonObject(meta) && typeof (call._meta?.terminal_output ?? { data: '' }).data === 'string'
  return events && (isReadable ? understood(events) : events)
}

/** The events of a whole message of the agent. Returns undefined if its content is of an unsupported kind. */
function wholeEvents(
  content: Whole['content'],
  proseKind: ProseKind,
  key: string,
  state: State,
  scope: EventScope,
): readonly StreamEvent[] | undefined {
  if (!areContents(content)) return undefined
  return understood([...state.enter('assistant', scope), ...state.prose.whole(content, proseKind, key, scope)])
}

/** A message without content changes nothing that is read. */
function areContents(content: Whole['content']): content is readonly Content[] {
  return Array.isArray(content) && content.every(isContent)
}

function partsOf(content: Chunk['content']): readonly Content[] {
  return Array.isArray(content) ? content : [content as Content]
}

interface StateUpdate {
  readonly state: string
  readonly stopReason?: string | null
  readonly usage?: RawUsage | null
}

interface Notice {
  readonly severity?: string
  readonly title: string
  readonly description?: string | null
}

interface Compaction {
  readonly compactionId: string
  readonly status: string
  readonly error?: string | null
  readonly summary?: Json
}

/** A key that ends in `/` belongs to no message. */
function keyOf(proseKind: string, messageId: string | null | undefined, { agentId }: EventScope): string {
  return `${agentId ?? ''}/${proseKind}/${messageId ?? ''}`
}

function metadataEvent({ sessionUpdate: _, _meta, ...fields }: Update): StreamEvent {
  return { type: 'metadata', metadata: present(fields) as JsonObject }
}

function noticeEvent({ severity, title, description }: Notice, scope: EventScope): StreamEvent {
  const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'info'
  return { ...scope, type: 'status', message: description ? `${title}: ${description}` : title, level }
}

function compactionEvents(
  { compactionId, status, error, summary: summaryContent }: Compaction,
  scope: EventScope,
): StreamEvent[] {
  const data: StreamEvent[] = summaryContent
    ? [{ ...scope, type: 'data', name: 'compaction', id: compactionId, data: { summary: summaryContent } }]
    : []
  const message = error ? `The conversation could not be compacted: ${error}` : `Compacting the conversation: ${status}`
  return [{ ...scope, type: 'status', message, level: error ? 'warn' : 'info' }, ...data]
}

/** A terminal of the agent, at the call that shows it. Its bytes are kept unchanged. */
function terminalEvent({ sessionUpdate: _, ...data }: Update, state: State, scope: EventScope): StreamEvent {
  const { terminalId } = data as { readonly terminalId: string }
  const callId = state.tools.ofTerminal(terminalId)
  if (callId === undefined) return { ...scope, type: 'data', name: 'terminal', data: data as JsonObject }
  return { ...scope, type: 'tool-progress', callId, channel: 'data', data: data as JsonObject }
}
