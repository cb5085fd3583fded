import { present } from '../../data/present.ts'
import type { TodoStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { sum, usageEvents } from '../kit/counts.ts'
import { numberIn, objectIn } from '../kit/fields.ts'
import { metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { EventScope } from '../parser.ts'
import { type Content, isContent, type ProseKind } from './prose.ts'
import type { State } from './state.ts'
import type { ToolCall, ToolContent } from './tool-call.ts'

/** What an agent reports about a session. Each type has fields of its own: the rows name those that are read. */
export interface Update {
  readonly sessionUpdate: string
  readonly [field: string]: Json | undefined
}

/** The usage of a turn. Each kind of token is counted separately. */
export type RawUsage = { readonly [count: string]: number | null | undefined } | null

/** Returns false if it does not understand the update. */
type Row = (out: Out, update: Update, state: State, scope: EventScope) => unknown

const text = { kind: 'text' } as const
const thought = { kind: 'reasoning', variant: 'thinking' } as const
const summary = { kind: 'reasoning', variant: 'summary' } as const

const rows: { readonly [sessionUpdate: string]: Row } = {
  user_message_chunk: proseRow(text, 'user', 'user'),
  user_message: proseRow(text, 'user', 'user'),
  agent_message_chunk: proseRow(text, 'text'),
  agent_message: proseRow(text, 'text'),
  agent_thought_chunk: proseRow(thought, 'thought'),
  agent_thought: proseRow(thought, 'thought'),
  compaction_summary_chunk: proseRow(summary, 'summary'),
  tool_call: pushCall,
  tool_call_update: pushCall,
  tool_call_content_chunk: (out, { toolCallId, content }, state, scope) =>
    state.tools.add(out, toolCallId as string, content as unknown as ToolContent, scope),
  terminal_update: pushTerminal,
  terminal_output_chunk: pushTerminal,
  plan: (out, { entries }, state, scope) => state.pushAside(out, scope, planEvent(entries, undefined, scope)),
  plan_update(out, { plan }, state, scope) {
    // A plan of newer versions has an id, and may be a text or a file.
    const { type, planId, entries } = plan as JsonObject
    const id = planIdOf(planId ?? 'plan', scope)
    const isList = type === 'items' && entries !== undefined
    const data = { ...scope, type: 'data', name: 'plan', id, data: plan as Json } as const
    state.pushAside(out, scope, isList ? planEvent(entries, planId, scope) : data)
  },
  plan_removed: (out, { planId }, state, scope) => state.pushAside(out, scope, planEvent([], planId, scope)),
  available_commands_update: pushMetadata,
  current_mode_update: pushMetadata,
  config_option_update: pushMetadata,
  session_info_update: pushMetadata,
  usage_update(out, { used, size, cost }) {
    // The size of the context and the cost of the session.
    const { currency, amount } = objectIn(cost)
    const costUsd = currency === 'USD' ? numberIn(amount) : undefined
    out.push(
      ...metadata({ context: present({ used, size }), cost: costUsd === undefined ? cost : undefined }),
      ...usageEvents(present({ costUsd }), { scope: 'run' }),
    )
  },
  notice(out, { severity, title, description }, state, scope) {
    const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'info'
    const message = description ? `${title}: ${description}` : (title as string)
    state.pushAside(out, scope, { ...scope, type: 'status', message, level })
  },
  compaction_update(out, { compactionId: id, status, error, summary: data }, state, scope) {
    const message = error
      ? `The conversation could not be compacted: ${error}`
      : `Compacting the conversation: ${status}`
    state.pushAside(out, scope, { ...scope, type: 'status', message, level: error ? 'warn' : 'info' })
    if (data) out.push({ ...scope, type: 'data', name: 'compaction', id: id as string, data: { summary: data } })
  },
  state_update(out, { state: newState, stopReason, usage }, state) {
    if (newState === 'idle') {
      pushUsage(out, usage as RawUsage | undefined)
      state.stop(out, (stopReason ?? 'end_turn') as string)
    }
    if (newState === 'running') state.resume()
    return newState === 'idle' || newState === 'running' || newState === 'requires_action'
  },
}

/** Returns false if the update is not understood. */
export function pushUpdate(out: Out, update: Update, state: State, scope: EventScope): boolean {
  const { sessionUpdate } = update
  return Object.hasOwn(rows, sessionUpdate) && rows[sessionUpdate]?.(out, update, state, scope) !== false
}

/** The rows of a chunk of a message, and of a whole message, which replaces its earlier text. */
function proseRow(proseKind: ProseKind, name: string, role: 'user' | 'assistant' = 'assistant'): Row {
  return (out, { sessionUpdate, content, messageId, compactionId }, state, scope) => {
    const isChunk = sessionUpdate.endsWith('_chunk')
    const contents = isChunk && !Array.isArray(content) ? [content] : content
    // A whole message without content changes nothing that is read.
    if (!areContents(contents)) return false
    if (role === 'user' && state.consumeEcho(contents)) return true
    const key = keyOf(name, messageId ?? compactionId, scope)
    state.enter(out, role, scope, role === 'user' ? ((messageId ?? '') as string) : undefined)
    if (!isChunk) state.prose.pushWhole(out, contents, proseKind, key, scope)
    else for (const part of contents) state.prose.pushChunk(out, part, proseKind, key, scope)
    return true
  }
}

function areContents(contents: unknown): contents is readonly Content[] {
  return Array.isArray(contents) && contents.every(isContent)
}

/** A key that ends in `/` belongs to no message. */
function keyOf(proseKind: string, messageId: Json | undefined, { agentId }: EventScope): string {
  return `${agentId ?? ''}/${proseKind}/${messageId ?? ''}`
}

/** An update of a call that emits no event yet is held with the call. */
function pushCall(out: Out, update: Update, state: State, scope: EventScope): boolean {
  const call = update as unknown as ToolCall
  if (!state.pushCall(out, call, scope)) return false
  const isReadable =
    isJsonObject(call._meta ?? {}) && typeof (call._meta?.terminal_output ?? { data: '' }).data === 'string'
  return isReadable || out.length > 0
}

/** A terminal of the agent, at the call that shows it. Its bytes are kept unchanged. */
function pushTerminal(out: Out, { sessionUpdate: _, ...data }: Update, state: State, scope: EventScope): void {
  const callId = state.tools.ofTerminal(data.terminalId as string)
  const fields = { ...scope, data: data as JsonObject }
  if (callId === undefined) out.push({ ...fields, type: 'data', name: 'terminal' })
  else out.push({ ...fields, type: 'tool-progress', callId, channel: 'data' })
}

function pushMetadata(out: Out, update: Update): void {
  const { sessionUpdate: _, _meta, ...fields } = update
  out.push({ type: 'metadata', metadata: present(fields) as JsonObject })
}

export function pushUsage(out: Out, usage: RawUsage | undefined): void {
  const { inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } = usage ?? {}
  const counts = present({
    inputTokens: sum(inputTokens, cachedReadTokens, cachedWriteTokens),
    outputTokens: sum(outputTokens, thoughtTokens),
    reasoningTokens: thoughtTokens,
    cacheReadTokens: cachedReadTokens,
    cacheWriteTokens: cachedWriteTokens,
  })
  out.push(...usageEvents(counts, { scope: 'step' }))
}

const todoStatuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed', 'cancelled'])

/** Each update holds the whole plan. */
function planEvent(entries: Json | undefined, planId: Json | undefined, scope: EventScope): EventOf<'todos'> {
  const planEntries = entries as readonly { readonly content: string; readonly status?: string }[]
  const items = planEntries.map(({ content, status }, index) => ({
    id: String(index + 1),
    content,
    status: todoStatuses.has(status ?? '') ? (status as TodoStatus) : 'pending',
  }))
  return { ...scope, type: 'todos', listId: planIdOf(planId ?? 'todos', scope), op: 'set', items }
}

/** Each session names its plans on its own: the plan of a subagent does not replace that of the main agent. */
function planIdOf(planId: Json, { agentId }: EventScope): string {
  return agentId === undefined ? (planId as string) : `${planId}:${agentId}`
}
