import type { EventOf, EventType, StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import fc, { type Arbitrary } from 'fast-check'

type Fields<Type extends EventType> = { readonly [Field in keyof EventOf<Type>]-?: Arbitrary<EventOf<Type>[Field]> }
type Row<Type extends EventType> = Omit<Fields<Type>, 'type' | 'messageId' | 'agentId' | 'sentAt' | 'meta'>

/** Few ids, so that events of a generated stream share them. */
const id = fc.constantFrom('a', 'b', 'c')
const word = fc.constantFrom(
  '',
  'one',
  'two words',
  '<think>',
  '</think>',
  '{"a":',
  '}',
  '```',
  'é😀',
  '\ud800',
  '\u0000',
)

/** Any JSON value except `-0`, which JSON cannot represent. */
export const json: Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

const object = fc.dictionary(fc.constantFrom('agent', 'model', 'x'), json, { noNullPrototype: true })
const count = fc.nat(1000)

/** The fields that each event must and may have. A row per type, a generator per field: each must exist to compile. */
const rows: { readonly [Type in EventType]: Row<Type> } = {
  'run-start': { agent: word, model: word },
  'run-end': {
    outcome: fc.constantFrom('success', 'error', 'interrupted', 'cancelled', 'awaiting-input'),
    reason: word,
    error: fc.record({ message: word }, { noNullPrototype: true }),
    result: json,
  },
  'message-start': { role: fc.constantFrom('user', 'assistant', 'system', 'tool'), model: word },
  'message-end': { interrupted: fc.boolean() },
  'message-retract': { messageIds: fc.array(id, { maxLength: 2 }) },
  'step-start': {
    kind: fc.constantFrom('model', 'planning', 'action', 'final', 'node'),
    name: word,
    number: fc.nat(9),
  },
  'step-end': { reason: word },
  'block-start': {
    blockId: id,
    kind: fc.constantFrom('text', 'reasoning'),
    variant: fc.constantFrom('thinking', 'plan', 'summary', 'refusal', 'redacted'),
  },
  'block-delta': { blockId: id, text: word },
  'block-patch': {
    blockId: id,
    text: word,
    citations: fc.array(json, { maxLength: 2 }),
    signature: word,
    encrypted: word,
  },
  'block-end': { blockId: id, interrupted: fc.boolean() },
  'tool-start': {
    callId: id,
    name: fc.constantFrom('search', 'TodoWrite', 'write_todos', 'Task', 'think', ''),
    runBy: fc.constantFrom('agent', 'provider', 'client'),
    title: word,
    server: word,
    parentCallId: id,
  },
  'tool-input-delta': { callId: id, text: word },
  'tool-input': { callId: id, input: json, text: word, error: word },
  approval: {
    approvalId: id,
    state: fc.constantFrom('requested', 'approved', 'denied', 'answered', 'expired'),
    callId: id,
    message: word,
    request: json,
    answer: json,
  },
  'tool-progress': {
    callId: id,
    channel: fc.constantFrom('stdout', 'stderr', 'text', 'data'),
    text: word,
    data: json,
    percent: fc.nat(100),
  },
  'tool-output': {
    callId: id,
    status: fc.constantFrom('ok', 'error', 'denied', 'cancelled'),
    output: json,
    error: word,
  },
  source: {
    sourceId: id,
    kind: fc.constantFrom('url', 'document', 'file'),
    url: fc.constant('https://example.com/'),
    title: word,
    mediaType: word,
    snippet: word,
    blockId: id,
    callId: id,
  },
  file: {
    fileId: id,
    mediaType: fc.constant('text/plain'),
    filename: word,
    url: fc.constant('https://example.com/f'),
    bytes: fc.constant('aGk='),
    callId: id,
  },
  todos: {
    listId: id,
    op: fc.constantFrom('set', 'update'),
    items: fc.array(
      fc.record(
        { id, content: word, status: fc.constantFrom('pending', 'in_progress', 'completed', 'cancelled') },
        { noNullPrototype: true },
      ),
      { maxLength: 3 },
    ),
    callId: id,
  },
  'subagent-start': { name: word, task: word, callId: id, parentAgentId: id },
  'subagent-end': { status: fc.constantFrom('done', 'failed', 'cancelled', 'interrupted'), summary: word },
  status: { message: word, level: fc.constantFrom('info', 'warn', 'error') },
  usage: {
    scope: fc.constantFrom('step', 'run'),
    mode: fc.constantFrom('snapshot', 'add'),
    model: word,
    inputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    costUsd: count,
    durationMs: count,
    turns: count,
  },
  state: { channel: id, op: fc.constantFrom('snapshot', 'patch'), value: json },
  data: { name: word, data: json, id, transient: fc.boolean() },
  metadata: { metadata: object },
  control: { action: fc.constantFrom('stop', 'steer', 'resume'), by: word },
  error: { message: word, code: word, name: word },
  raw: { value: json, reason: fc.constantFrom('unmapped', 'unparsable') },
}

/** The required fields of each type. The others are optional. */
export const requiredFields: { readonly [Type in EventType]?: readonly string[] } = {
  'run-end': ['outcome'],
  'message-start': ['messageId', 'role'],
  'message-end': ['messageId'],
  'message-retract': ['messageIds'],
  'step-start': ['kind'],
  'block-start': ['blockId', 'kind'],
  'block-delta': ['blockId', 'text'],
  'block-patch': ['blockId'],
  'block-end': ['blockId'],
  'tool-start': ['callId', 'name', 'runBy'],
  'tool-input-delta': ['callId', 'text'],
  'tool-input': ['callId'],
  approval: ['approvalId', 'state'],
  'tool-progress': ['callId', 'channel'],
  'tool-output': ['callId', 'status', 'output'],
  source: ['sourceId', 'kind'],
  file: ['fileId', 'mediaType'],
  todos: ['listId', 'op', 'items'],
  'subagent-start': ['agentId', 'name'],
  'subagent-end': ['agentId', 'status'],
  status: ['message', 'level'],
  usage: ['scope', 'mode'],
  state: ['channel', 'op', 'value'],
  data: ['name', 'data'],
  metadata: ['metadata'],
  control: ['action'],
  error: ['message'],
  raw: ['value', 'reason'],
}

const meta = fc.dictionary(fc.constantFrom('anthropic', 'millrace'), object, { maxKeys: 1, noNullPrototype: true })

function eventOfType(type: EventType): Arbitrary<StreamEvent> {
  const common = { type: fc.constant(type), messageId: id, agentId: id, sentAt: fc.nat(1000), meta }
  const fields: { [field: string]: Arbitrary<unknown> } = { ...common, ...rows[type] }
  const requiredKeys = ['type', ...(requiredFields[type] ?? [])]
  return fc.record(fields, { requiredKeys, noNullPrototype: true }) as unknown as Arbitrary<StreamEvent>
}

/** Events of each type, well-shaped by themselves. */
export const eventsByType: readonly (readonly [EventType, Arbitrary<StreamEvent>])[] = (
  Object.keys(rows) as EventType[]
).map((type) => [type, eventOfType(type)] as const)

/** An event that is well-shaped by itself but need not fit any other event. */
export const anyEvent: Arbitrary<StreamEvent> = fc.oneof(...eventsByType.map(([, event]) => event))

/** Events in random order: deltas without blocks, ids used twice, ends without starts. */
export const illFormed: Arbitrary<StreamEvent[]> = fc.array(anyEvent, { maxLength: 40 })
