import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { SILENT, understood } from '../parser.ts'
import { isContent, type Place } from './content.ts'
import { planEvent, planUpdateEvent } from './plans.ts'
import type { Voice } from './prose.ts'
import type { Content, RawUsage, ToolCall, ToolContent, Update } from './raw.ts'
import type { State } from './state.ts'
import { type ContextUse, contextEvents, usageEvents } from './usage.ts'

type Row = (update: never, state: State, place: Place) => readonly StreamEvent[] | undefined

/** One piece of content; some agents send several. */
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
  user_message_chunk({ content, messageId }: Chunk, state, place) {
    const pieces = piecesOf(content)
    if (!pieces.every(isContent)) return undefined
    if (state.isEcho(wordsOf(pieces))) return SILENT
    const entered = state.enter('user', place, messageId ?? '')
    const key = keyOf('user', messageId, place)
    return understood([...entered, ...pieces.flatMap((piece) => state.prose.chunk(piece, text, key, place))])
  },
  agent_message_chunk: ({ content, messageId }: Chunk, state, place) =>
    said(content, text, keyOf('text', messageId, place), state, place),
  agent_thought_chunk: ({ content, messageId }: Chunk, state, place) =>
    said(content, thought, keyOf('thought', messageId, place), state, place),
  user_message({ content, messageId }: Whole, state, place) {
    if (state.isEcho(wordsOf(content ?? []))) return SILENT
    const entered = state.enter('user', place, messageId)
    return given(content, [
      ...entered,
      ...state.prose.whole(content ?? [], text, keyOf('user', messageId, place), place),
    ])
  },
  agent_message: ({ content, messageId }: Whole, state, place) =>
    given(content, [
      ...state.enter('assistant', place),
      ...state.prose.whole(content ?? [], text, keyOf('text', messageId, place), place),
    ]),
  agent_thought: ({ content, messageId }: Whole, state, place) =>
    given(content, [
      ...state.enter('assistant', place),
      ...state.prose.whole(content ?? [], thought, keyOf('thought', messageId, place), place),
    ]),
  tool_call: called,
  tool_call_update: called,
  tool_call_content_chunk: ({ toolCallId, content }: { toolCallId: string; content: ToolContent }, state, place) =>
    state.tools.add(toolCallId, content, place),
  terminal_update: (update: Update, state) => [terminalEvent(update, state)],
  terminal_output_chunk: (update: Update, state) => [terminalEvent(update, state)],
  plan: ({ entries }: { entries: never }, state, place) => state.aside([planEvent(entries, undefined, place)], place),
  plan_update: ({ plan }: { plan: Json }, state, place) => state.aside([planUpdateEvent(plan, place)], place),
  plan_removed: ({ planId }: { planId: string }, state, place) => state.aside([planEvent([], planId, place)], place),
  available_commands_update: (update: Update) => [metadataEvent(update)],
  current_mode_update: (update: Update) => [metadataEvent(update)],
  config_option_update: (update: Update) => [metadataEvent(update)],
  session_info_update: (update: Update) => [metadataEvent(update)],
  usage_update: (update: ContextUse) => contextEvents(update),
  notice: (update: Notice, state, place) => state.aside([noticeEvent(update, place)], place),
  compaction_update: (update: Compaction, state, place) => state.aside(compactionEvents(update, place), place),
  compaction_summary_chunk: ({ content, compactionId }: SummaryChunk, state, place) =>
    said(content, summary, keyOf('summary', compactionId, place), state, place),
  state_update({ state: now, stopReason, usage }: StateUpdate, state) {
    if (now === 'idle') return understood([...usageEvents(usage), ...state.stop(stopReason ?? 'end_turn')])
    if (now === 'running') state.resume()
    return now === 'running' || now === 'requires_action' ? SILENT : undefined
  },
} satisfies { readonly [sessionUpdate: string]: Row }
const table = new Map(Object.entries(rows)) as unknown as ReadonlyMap<string, Row>

/** The events of an update; `undefined` where it is unknown. */
export function updateEvents(update: Update, state: State, place: Place): readonly StreamEvent[] | undefined {
  return table.get(update.sessionUpdate)?.(update as never, state, place)
}

interface SummaryChunk {
  readonly content: Content
  readonly compactionId: string
}

/** A piece of what the agent says; `undefined` where it is of no known kind. */
function said(
  content: Chunk['content'],
  voice: Voice,
  key: string,
  state: State,
  place: Place,
): readonly StreamEvent[] | undefined {
  const pieces = piecesOf(content)
  if (!pieces.every(isContent)) return undefined
  const entered = state.enter('assistant', place)
  return understood([...entered, ...pieces.flatMap((piece) => state.prose.chunk(piece, voice, key, place))])
}

/** What has changed of a call; what is not told yet is held with it. */
function called(call: ToolCall, state: State, place: Place): readonly StreamEvent[] | undefined {
  const events = state.callEvents(call, place)
  const meta = call._meta ?? {}
  const isReadable = isJsonObject(meta) && typeof (call._meta?.terminal_output ?? { data: '' }).data === 'string'
  return events && (isReadable ? understood(events) : events)
}

/** The events of a message that is given whole, with its content or without. */
function given(content: Whole['content'], events: readonly StreamEvent[]): readonly StreamEvent[] {
  return Array.isArray(content) ? understood(events) : events
}

function piecesOf(content: Chunk['content']): readonly Content[] {
  return Array.isArray(content) ? content : [content as Content]
}

function wordsOf(pieces: readonly Content[]): string {
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
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

/** A key that ends in `/` names no message. */
function keyOf(voice: string, messageId: string | null | undefined, { agentId }: Place): string {
  return `${agentId ?? ''}/${voice}/${messageId ?? ''}`
}

function metadataEvent({ sessionUpdate: _, _meta, ...fields }: Update): StreamEvent {
  return { type: 'metadata', metadata: present(fields) as JsonObject }
}

function noticeEvent({ severity, title, description }: Notice, place: Place): StreamEvent {
  const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'info'
  return { ...place, type: 'status', message: description ? `${title}: ${description}` : title, level }
}

function compactionEvents({ compactionId, status, error, summary: said }: Compaction, place: Place): StreamEvent[] {
  const data: StreamEvent[] = said
    ? [{ ...place, type: 'data', name: 'compaction', id: compactionId, data: { summary: said } }]
    : []
  const message = error ? `The conversation could not be compacted: ${error}` : `Compacting the conversation: ${status}`
  return [{ ...place, type: 'status', message, level: error ? 'warn' : 'info' }, ...data]
}

/** An agent's own terminal, where a call shows it. Its bytes are kept as they came. */
function terminalEvent({ sessionUpdate: _, ...data }: Update, state: State): StreamEvent {
  const { terminalId } = data as { readonly terminalId: string }
  const callId = state.tools.ofTerminal(terminalId)
  if (callId === undefined) return { type: 'data', name: 'terminal', data: data as JsonObject }
  return { type: 'tool-progress', callId, channel: 'data', data: data as JsonObject }
}
