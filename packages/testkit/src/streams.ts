import type { EventOf, StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { json } from './any-event.ts'
import { type EventGroup, interleaved, type Plan, streamOf } from './compose.ts'

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Hello, ', 'world', ' – ünïcödé 😀 ', '\n\n- item\n', '`code`', '{"a":1}') },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }) },
)
const texts = fc.array(text, { maxLength: 4 })
const maybe = <Value>(arbitrary: Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const one = (event: Arbitrary<StreamEvent>): Arbitrary<EventGroup> => event.map((single) => [single])

const block: Arbitrary<EventGroup> = fc
  .record({ kind: fc.constantFrom('text' as const, 'reasoning' as const), deltas: texts, signature: maybe(text) })
  .map(({ kind, deltas, signature }) => {
    const isSigned = kind === 'reasoning' && signature !== undefined
    return [
      { type: 'block-start', blockId: '', kind },
      ...deltas.map((delta) => ({ type: 'block-delta' as const, blockId: '', text: delta })),
      ...(isSigned ? [{ type: 'block-patch' as const, blockId: '', signature }] : []),
      { type: 'block-end', blockId: '' },
    ]
  })

const progressEvent: Arbitrary<StreamEvent> = fc
  .record({ channel: fc.constantFrom('stdout' as const, 'stderr' as const, 'text' as const), text })
  .map((fields) => ({ type: 'tool-progress', callId: '', ...fields }))

const approval = fc.constantFrom('approved' as const, 'denied' as const).map(
  (state): EventGroup => [
    { type: 'approval', approvalId: '', callId: '', state: 'requested' },
    { type: 'approval', approvalId: '', callId: '', state },
  ],
)

const output: Arbitrary<StreamEvent> = fc
  .record({ status: fc.constantFrom('ok' as const, 'ok' as const, 'error' as const), output: json })
  .map((fields) => ({
    type: 'tool-output',
    callId: '',
    ...fields,
    ...(fields.status === 'error' && { error: 'failed' }),
  }))

const tool: Arbitrary<EventGroup> = fc
  .record({
    name: fc.constantFrom('search', 'read_file', 'run'),
    runBy: fc.constantFrom('agent' as const, 'provider' as const),
    input: fc.dictionary(fc.constantFrom('query', 'path', 'n'), json, { maxKeys: 2, noNullPrototype: true }),
    isStreamed: fc.boolean(),
    approved: maybe(approval),
    reports: fc.array(progressEvent, { maxLength: 3 }),
    output,
  })
  .map(({ name, runBy, input, isStreamed, approved, reports, output }) => [
    { type: 'tool-start', callId: '', name, runBy },
    ...(isStreamed ? deltasOf(JSON.stringify(input)) : []),
    { type: 'tool-input', callId: '', input },
    ...(approved ?? []),
    ...reports,
    output,
  ])

function deltasOf(whole: string): EventGroup {
  const deltas = whole.match(/[\s\S]{1,5}/gu) ?? []
  return deltas.map((text) => ({ type: 'tool-input-delta', callId: '', text }))
}

const todos = fc
  .record({
    op: fc.constantFrom('set' as const, 'update' as const),
    items: fc.uniqueArray(
      fc.record(
        {
          id: fc.constantFrom('1', '2', '3'),
          content: text,
          status: fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const),
        },
        { noNullPrototype: true },
      ),
      { selector: (item) => item.id, maxLength: 3 },
    ),
  })
  .map((fields): StreamEvent => ({ type: 'todos', listId: 'list', ...fields }))

const usage = fc
  .record({
    scope: fc.constantFrom('step' as const, 'run' as const),
    mode: fc.constantFrom('snapshot' as const, 'add' as const),
    outputTokens: fc.nat(100),
  })
  .map((fields): StreamEvent => ({ type: 'usage', ...fields }))

const others: Arbitrary<EventGroup> = fc.oneof(
  one(todos),
  one(usage),
  one(fc.constant({ type: 'source', sourceId: '', kind: 'url', url: 'https://example.com/', title: 'Example' })),
  one(fc.constant({ type: 'file', fileId: '', mediaType: 'text/plain', url: 'https://example.com/f.txt' })),
  one(text.map((message) => ({ type: 'status', message, level: 'info' }))),
  one(text.map((message) => ({ type: 'error', message }))),
  one(json.map((data) => ({ type: 'data', name: 'chart', data }))),
  one(json.map((value) => ({ type: 'state', channel: 'plan', op: 'snapshot', value }))),
  one(text.map((value) => ({ type: 'metadata', metadata: { note: value } }))),
  one(json.map((value) => ({ type: 'raw', value, reason: 'unmapped' }))),
  fc.constant([
    { type: 'step-start', kind: 'model' },
    { type: 'step-end', reason: 'done' },
  ]),
)

const group = fc.oneof(
  { weight: 4, arbitrary: block },
  { weight: 3, arbitrary: tool },
  { weight: 3, arbitrary: others },
)

const picks = fc.array(fc.nat(7), { maxLength: 40 })

const subagent: Arbitrary<EventGroup> = fc
  .record({ groups: fc.array(group, { maxLength: 3 }), picks, summary: text })
  .map(({ groups, picks, summary }) => [
    { type: 'subagent-start', agentId: '', name: 'researcher', task: 'look it up' },
    ...interleaved(groups, picks, (event) => ({ ...event, agentId: '' })),
    { type: 'subagent-end', agentId: '', status: 'done', summary },
  ])

const message = fc.record({
  role: fc.constantFrom('assistant' as const, 'assistant' as const, 'assistant' as const, 'user' as const),
  groups: fc.array(fc.oneof({ weight: 8, arbitrary: group }, { weight: 1, arbitrary: subagent }), { maxLength: 6 }),
  picks,
  /** Whether outputs come after the message of their call. */
  areOutputsLate: fc.boolean(),
  isRetracted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})

const end: Arbitrary<EventOf<'run-end'>> = fc.oneof(
  fc.constant({ type: 'run-end', outcome: 'success' } as const),
  text.map((message) => ({ type: 'run-end', outcome: 'error', error: { message } }) as const),
  fc.constant({ type: 'run-end', outcome: 'awaiting-input' } as const),
)

const plan: Arbitrary<Plan> = fc.record({ messages: fc.array(message, { maxLength: 4 }), end })

/** Well-formed streams: parallel blocks and calls, subagents, late outputs, everything interleaved. */
export const wellFormed: Arbitrary<StreamEvent[]> = plan.map(streamOf)
