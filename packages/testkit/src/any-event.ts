import type { EventOf, EventType, StreamEvent, UsageCounts } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import fc, { type Arbitrary } from 'fast-check'
import { enums, todoStatuses, valuesOf } from './vocabulary.ts'

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

/** All counts of usage. */
export function usageCounts(count: Arbitrary<number>): { readonly [Field in keyof UsageCounts]-?: Arbitrary<number> } {
  return {
    inputTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    costUsd: count,
    durationMs: count,
    turns: count,
  }
}

/** Any value of such a set. */
export function anyOf<Union extends string>(all: { readonly [Value in Union]: true }): Arbitrary<Union> {
  return fc.constantFrom(...valuesOf(all))
}

/** The fields that each event must and may have. A row per type, a generator per field: each must exist to compile. */
const rows: { readonly [Type in EventType]: Row<Type> } = {
  'run-start': { agent: word, model: word },
  'run-end': {
    outcome: anyOf(enums['run-end'].outcome),
    reason: word,
    error: fc.record({ message: word, code: word, name: word }, { requiredKeys: ['message'], noNullPrototype: true }),
    result: json,
  },
  'message-start': { role: anyOf(enums['message-start'].role), model: word },
  'message-end': { interrupted: fc.boolean() },
  'message-retract': { messageIds: fc.array(id, { maxLength: 2 }) },
  'step-start': {
    kind: anyOf(enums['step-start'].kind),
    name: word,
    number: fc.nat(9),
  },
  'step-end': { reason: word },
  'block-start': {
    blockId: id,
    kind: anyOf(enums['block-start'].kind),
    variant: anyOf(enums['block-start'].variant),
  },
  'block-delta': { blockId: id, text: word },
  'block-patch': {
    blockId: id,
    text: word,
    citations: fc.array(json, { maxLength: 2 }),
    signature: word,
    encrypted: word,
    answer: fc.record(
      {
        title: word,
        content: word,
        sources: fc.array(fc.record({ url: word, title: word }, { noNullPrototype: true }), { maxLength: 2 }),
      },
      { requiredKeys: ['content'], noNullPrototype: true },
    ),
  },
  'block-end': { blockId: id, interrupted: fc.boolean() },
  'tool-start': {
    callId: id,
    name: fc.constantFrom('search', 'TodoWrite', 'write_todos', 'Task', 'think', 'python', 'final_answer', ''),
    runBy: anyOf(enums['tool-start'].runBy),
    title: word,
    server: word,
    parentCallId: id,
  },
  'tool-input-delta': { callId: id, text: word },
  'tool-input': { callId: id, input: json, text: word, error: word },
  approval: {
    approvalId: id,
    state: anyOf(enums.approval.state),
    callId: id,
    message: word,
    request: json,
    answer: json,
    reason: fc.constantFrom('went-on', 'other'),
    remember: anyOf(enums.approval.remember),
    input: json,
  },
  'tool-progress': {
    callId: id,
    channel: anyOf(enums['tool-progress'].channel),
    text: word,
    data: json,
    percent: fc.nat(100),
  },
  'tool-output': {
    callId: id,
    status: anyOf(enums['tool-output'].status),
    output: json,
    error: word,
  },
  source: {
    sourceId: id,
    kind: anyOf(enums.source.kind),
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
    op: anyOf(enums.todos.op),
    items: fc.array(fc.record({ id, content: word, status: anyOf(todoStatuses) }, { noNullPrototype: true }), {
      maxLength: 3,
    }),
    callId: id,
  },
  'subagent-start': { name: word, task: word, callId: id, parentAgentId: id },
  'subagent-end': { status: anyOf(enums['subagent-end'].status), summary: word },
  status: { message: word, level: anyOf(enums.status.level) },
  usage: {
    scope: anyOf(enums.usage.scope),
    mode: anyOf(enums.usage.mode),
    model: word,
    ...usageCounts(fc.nat(1000)),
  },
  state: { channel: id, op: anyOf(enums.state.op), value: json },
  data: { name: word, data: json, id, transient: fc.boolean() },
  metadata: { metadata: object },
  control: { action: anyOf(enums.control.action), by: word, dropped: fc.boolean() },
  error: { message: word, code: word, name: word },
  raw: { value: json, reason: anyOf(enums.raw.reason) },
}

/** The names of the fields of each type, without those that every event may carry. */
export const fieldNames: { readonly [Type in EventType]: readonly string[] } = Object.fromEntries(
  Object.entries(rows).map(([type, row]) => [type, Object.keys(row)]),
) as never

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
