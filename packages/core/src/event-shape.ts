import type { EventType, StreamEvent } from './events.ts'
import { isJsonObject, isText } from './json.ts'

type Check = (value: unknown) => boolean
type Fields = { readonly [field: string]: Check }

const string: Check = isText
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const boolean: Check = (value) => typeof value === 'boolean'
const object: Check = isJsonObject
const json: Check = (value) => value !== undefined
const list =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item)
const one =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const shape =
  (fields: Fields): Check =>
  (value) =>
    object(value) && Object.entries(fields).every(([field, check]) => check((value as Record<string, unknown>)[field]))

const error = shape({ message: string, code: optional(string), name: optional(string) })
const todo = shape({ id: string, content: string, status: one('pending', 'in_progress', 'completed', 'cancelled') })
const source = shape({ url: optional(string), title: optional(string) })
const answer = shape({ title: optional(string), content: string, sources: optional(list(source)) })
const count = optional(number)

const common: Fields = {
  messageId: optional(string),
  agentId: optional(string),
  sentAt: optional(number),
  meta: optional((value) => object(value) && Object.values(value as object).every(object)),
}

/** The fields that each event must and may have. A row per type; a missing row does not compile. */
const shapes: { readonly [Type in EventType]: Fields } = {
  'run-start': { agent: optional(string), model: optional(string) },
  'run-end': {
    outcome: one('success', 'error', 'interrupted', 'cancelled', 'awaiting-input'),
    reason: optional(string),
    error: optional(error),
  },
  'message-start': { messageId: string, role: one('user', 'assistant', 'system', 'tool'), model: optional(string) },
  'message-end': { messageId: string, interrupted: optional(boolean) },
  'message-retract': { messageIds: list(string) },
  'step-start': {
    kind: one('model', 'planning', 'action', 'final', 'node'),
    name: optional(string),
    number: optional(number),
  },
  'step-end': { reason: optional(string) },
  'block-start': {
    blockId: string,
    kind: one('text', 'reasoning'),
    variant: optional(
      one('thinking', 'plan', 'summary', 'commentary', 'refusal', 'redacted', 'think-tool', 'think-tag'),
    ),
  },
  'block-delta': { blockId: string, text: string },
  'block-patch': {
    blockId: string,
    text: optional(string),
    citations: optional(list(json)),
    signature: optional(string),
    encrypted: optional(string),
    answer: optional(answer),
  },
  'block-end': { blockId: string, interrupted: optional(boolean) },
  'tool-start': {
    callId: string,
    name: string,
    runBy: one('agent', 'provider', 'client'),
    title: optional(string),
    server: optional(string),
    parentCallId: optional(string),
  },
  'tool-input-delta': { callId: string, text: string },
  'tool-input': { callId: string, text: optional(string), error: optional(string) },
  approval: {
    approvalId: string,
    state: one('requested', 'approved', 'denied', 'answered', 'expired'),
    callId: optional(string),
    message: optional(string),
    reason: optional(string),
    remember: optional(one('session')),
  },
  'tool-progress': {
    callId: string,
    channel: one('stdout', 'stderr', 'text', 'data'),
    text: optional(string),
    percent: optional(number),
  },
  'tool-output': {
    callId: string,
    status: one('ok', 'error', 'denied', 'cancelled'),
    output: json,
    error: optional(string),
  },
  source: {
    sourceId: string,
    kind: one('url', 'document', 'file'),
    url: optional(string),
    title: optional(string),
    mediaType: optional(string),
    snippet: optional(string),
    blockId: optional(string),
    callId: optional(string),
  },
  file: {
    fileId: string,
    mediaType: string,
    filename: optional(string),
    url: optional(string),
    bytes: optional(string),
    callId: optional(string),
  },
  todos: { listId: string, op: one('set', 'update'), items: list(todo), callId: optional(string) },
  'subagent-start': {
    agentId: string,
    name: string,
    task: optional(string),
    callId: optional(string),
    parentAgentId: optional(string),
  },
  'subagent-end': {
    agentId: string,
    status: one('done', 'failed', 'cancelled', 'interrupted'),
    summary: optional(string),
  },
  status: { message: string, level: one('info', 'warn', 'error') },
  usage: {
    scope: one('step', 'run'),
    mode: one('snapshot', 'add'),
    model: optional(string),
    inputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    costUsd: count,
    durationMs: count,
    turns: count,
  },
  state: { channel: string, op: one('snapshot', 'patch'), value: json },
  data: { name: string, data: json, id: optional(string), transient: optional(boolean) },
  metadata: { metadata: object },
  control: {
    action: one('stop', 'steer', 'resume'),
    by: optional(string),
    messageId: optional(string),
    dropped: optional(boolean),
  },
  error: { message: string, code: optional(string), name: optional(string) },
  raw: { value: json, reason: one('unmapped', 'unparsable') },
}

const checks = new Map(Object.entries(shapes).map(([type, fields]) => [type, Object.entries({ ...common, ...fields })]))

/** Whether a value is an event of our vocabulary with every field of the right kind. */
export function isStreamEvent(value: unknown): value is StreamEvent {
  const event = value as Record<string, unknown> | null
  if (typeof event !== 'object' || event === null) return false
  const fields = checks.get(event.type as string)
  return fields?.every(([field, check]) => check(event[field])) ?? false
}

/** `isStreamEvent` with a fast path for the two most frequent events (bench/rows/parse.ts). */
export function isWellShaped(event: StreamEvent): boolean {
  if (event.type === 'block-delta' || event.type === 'tool-input-delta') {
    const id = event.type === 'block-delta' ? event.blockId : event.callId
    if (typeof event.text !== 'string' || typeof id !== 'string') return false
    if (event.agentId === undefined && event.messageId === undefined && event.meta === undefined) {
      return event.sentAt === undefined || typeof event.sentAt === 'number'
    }
  }
  return isStreamEvent(event)
}
