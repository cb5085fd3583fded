import type { EventOf, StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { anyOf, json, usageCounts } from '../any-event.ts'
import type { EventGroup } from '../compose.ts'
import { enums, todoStatuses } from '../vocabulary.ts'
import { fields, object, one, text } from './values.ts'

const item = fc.record(
  { id: fc.constantFrom('1', '2', '3'), content: fc.oneof(text, fc.constant('')), status: anyOf(todoStatuses) },
  { noNullPrototype: true },
)

const todos: Arbitrary<StreamEvent> = fc
  .record({
    listId: fc.constantFrom('list', 'other'),
    op: anyOf(enums.todos.op),
    items: fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 3 }),
  })
  .map((todos) => ({ type: 'todos', ...todos }))

const usage: Arbitrary<StreamEvent> = fields(
  { scope: anyOf(enums.usage.scope), mode: anyOf(enums.usage.mode) },
  { ...usageCounts(fc.nat(100)), model: fc.constant('model-1') },
).map((usage) => ({ type: 'usage', ...usage }))

const state: Arbitrary<StreamEvent> = fc
  .record({
    channel: fc.constantFrom('plan', 'files'),
    change: fc.oneof(
      json.map((value) => ({ op: 'snapshot', value }) as const),
      fc.constant({ op: 'snapshot', value: { done: [] } } as const),
      json.map((value) => ({ op: 'patch', value: [{ op: 'add', path: '/done', value }] }) as const),
      json.map((value) => ({ op: 'patch', value: [{ op: 'replace', path: '', value: { done: [value] } }] }) as const),
      json.map((value) => ({ op: 'patch', value: [{ op: 'add', path: '/done/-', value }] }) as const),
    ),
  })
  .map(({ channel, change }) => ({ type: 'state', channel, ...change }))

const data: Arbitrary<StreamEvent> = fields(
  { name: fc.constantFrom('chart', 'table'), data: json },
  { id: fc.constantFrom('x', 'y'), transient: fc.constant(true) },
).map((data) => ({ type: 'data', ...data }))

const replaced: Arbitrary<StreamEvent> = json.map((data) => ({ type: 'data', name: 'chart', id: 'x', data }))

const source: Arbitrary<EventGroup> = fields(
  { kind: anyOf(enums.source.kind) },
  {
    url: fc.constant('https://example.com/'),
    title: text,
    mediaType: fc.constantFrom('text/html', 'application/pdf'),
    snippet: text,
    isRepeated: fc.constant(true),
  },
).map(({ isRepeated, ...source }) => {
  const event: StreamEvent = { type: 'source', sourceId: '', ...source }
  return isRepeated ? [event, event] : [event]
})

const file: Arbitrary<StreamEvent> = fields(
  { mediaType: fc.constantFrom('text/plain', 'image/png') },
  { filename: fc.constant('a.txt'), url: fc.constant('https://example.com/f.txt'), bytes: fc.constant('aGk=') },
).map((file) => ({ type: 'file', fileId: '', ...file }))

const step: Arbitrary<EventGroup> = fields(
  { kind: anyOf(enums['step-start'].kind), usages: fc.array(usage, { maxLength: 2 }) },
  { name: fc.constantFrom('plan', 'act'), number: fc.nat(9), reason: fc.constantFrom('end_turn', 'tool_use') },
).map(({ usages, reason, ...step }) => [
  { type: 'step-start', ...step },
  ...usages,
  { type: 'step-end', ...(reason !== undefined && { reason }) },
])

const metadata: Arbitrary<EventOf<'metadata'>['metadata']> = fields(
  { note: text },
  { model: fc.constantFrom('model-2', 'model-3'), more: object },
)

/** Such changes follow each other. */
const several = (event: Arbitrary<StreamEvent>): Arbitrary<EventGroup> =>
  fc.array(event, { minLength: 1, maxLength: 3 })

const steps: Arbitrary<EventGroup> = fc.array(step, { minLength: 1, maxLength: 2 }).map((steps) => steps.flat())

const single: Arbitrary<EventGroup> = fc.oneof(
  several(todos),
  several(usage),
  source,
  one(file),
  one(fc.record({ message: text, level: anyOf(enums.status.level) }).map((status) => ({ type: 'status', ...status }))),
  one(fields({ message: text }, { code: text, name: text }).map((error) => ({ type: 'error', ...error }))),
  several(data),
  several(replaced),
  several(state),
  one(metadata.map((metadata) => ({ type: 'metadata', metadata }))),
  one(
    fields({ action: anyOf(enums.control.action) }, { by: fc.constantFrom('user', 'host'), dropped: fc.boolean() }).map(
      (control) => {
        return { type: 'control', ...control }
      },
    ),
  ),
  one(fc.record({ value: json, reason: anyOf(enums.raw.reason) }).map((raw) => ({ type: 'raw', ...raw }))),
)

export const others: Arbitrary<EventGroup> = fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: steps })
