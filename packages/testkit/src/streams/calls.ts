import type { EventOf, StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { anyOf, json } from '../any-event.ts'
import type { EventGroup } from '../compose.ts'
import { enums } from '../vocabulary.ts'
import { fields, object, text } from './values.ts'

const start: Arbitrary<EventOf<'tool-start'>> = fields(
  { name: fc.constantFrom('search', 'read_file', 'run'), runBy: anyOf(enums['tool-start'].runBy) },
  { title: text, server: fc.constant('files') },
).map((start) => ({ type: 'tool-start', callId: '', ...start }))

const input: Arbitrary<EventGroup> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ input: object, isStreamed: fc.boolean() })
      .map(
        ({ input, isStreamed }): EventGroup => [
          ...(isStreamed ? deltasOf(JSON.stringify(input)) : []),
          { type: 'tool-input', callId: '', input },
        ],
      ),
  },
  {
    weight: 1,
    arbitrary: text.map(
      (text): EventGroup => [
        ...deltasOf(`{"a":${text}`),
        { type: 'tool-input', callId: '', text: `{"a":${text}`, error: 'The input is not JSON.' },
      ],
    ),
  },
)

function deltasOf(whole: string): EventGroup {
  const deltas = whole.match(/[\s\S]{1,5}/gu) ?? []
  return deltas.map((text) => ({ type: 'tool-input-delta', callId: '', text }))
}

const report: Arbitrary<StreamEvent> = fields(
  { channel: anyOf(enums['tool-progress'].channel) },
  { text, data: json, percent: fc.nat(100) },
).map((report) => ({ type: 'tool-progress', callId: '', ...report }))

/** Any reports, or the lines of one channel with a percentage now and then. */
const reports: Arbitrary<EventGroup> = fc.oneof(
  fc.array(report, { maxLength: 3 }),
  fc
    .array(fields({ text }, { percent: fc.nat(100) }), { minLength: 1, maxLength: 4 })
    .map((lines) =>
      lines.map((line): StreamEvent => ({ type: 'tool-progress', callId: '', channel: 'stdout', ...line })),
    ),
)

const replyFields = { message: text, answer: json }

type Answer = Omit<EventOf<'approval'>, 'type' | 'approvalId'>

const answer: Arbitrary<Answer> = fc.oneof(
  fields(
    { state: fc.constant('approved' as const) },
    { ...replyFields, remember: anyOf(enums.approval.remember), input: json },
  ),
  fields({ state: fc.constantFrom('denied' as const, 'answered' as const) }, replyFields),
  fields({ state: fc.constant('expired' as const) }, { ...replyFields, reason: fc.constantFrom('went-on', 'closed') }),
)

/** A question and its answer. `id` tells apart the questions of one group. */
function question(id: string, callId: string | undefined): Arbitrary<readonly [StreamEvent, StreamEvent]> {
  const named = { type: 'approval', approvalId: id, ...(callId !== undefined && { callId }) } as const
  return fc.tuple(
    fields({}, { message: text, request: json }).map(
      (asked): StreamEvent => ({ ...named, state: 'requested', ...asked }),
    ),
    answer.map((given) => ({ ...named, ...given })),
  )
}

/** No question, one, or one after the other. Only a single one, with an empty id, may be answered late. */
const asked: Arbitrary<EventGroup> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: question('', '') },
  { weight: 1, arbitrary: fc.tuple(question('first', ''), question('again', '')).map((both) => both.flat()) },
)

const output: Arbitrary<StreamEvent> = fields(
  { status: fc.oneof(fc.constant('ok' as const), anyOf(enums['tool-output'].status)), output: json },
  { error: text },
).map(({ error, ...output }) => ({
  type: 'tool-output',
  callId: '',
  ...output,
  ...(output.status !== 'ok' && error !== undefined && { error }),
}))

/** What a call leaves besides its output. */
const left: Arbitrary<StreamEvent> = fc.oneof(
  fields(
    { kind: anyOf(enums.source.kind) },
    { url: fc.constant('https://example.com/'), title: text, snippet: text },
  ).map((source): StreamEvent => ({ type: 'source', sourceId: '', ...source, callId: '' })),
  fields(
    { mediaType: fc.constantFrom('text/plain', 'image/png') },
    { filename: fc.constant('a.txt'), url: fc.constant('https://example.com/f'), bytes: fc.constant('aGk=') },
  ).map((file): StreamEvent => ({ type: 'file', fileId: '', ...file, callId: '' })),
  text.map((content): StreamEvent => {
    return { type: 'todos', listId: 'list', op: 'update', items: [{ id: '1', content, status: 'pending' }], callId: '' }
  }),
)

/** A call: its input, questions, progress, what it leaves, its output. */
export const call: Arbitrary<EventGroup> = fc
  .record({
    start,
    input,
    asked,
    reports,
    left: fc.array(left, { maxLength: 1 }),
    output,
  })
  .map(({ start, input, asked, reports, left, output }) => [start, ...input, ...asked, ...reports, ...left, output])

/** Two questions about one thing, or about none, that are open at once. */
export const questions: Arbitrary<EventGroup> = fc
  .record({ first: question('one', undefined), second: question('two', undefined), isReverse: fc.boolean() })
  .map(({ first, second, isReverse }) => [
    first[0],
    second[0],
    ...(isReverse ? [second[1], first[1]] : [first[1], second[1]]),
  ])

/** Calls within a call, one of which asks while the outer one waits. */
export const nestedCalls: Arbitrary<EventGroup> = fc
  .record({ outer: call, inner: call, about: question('inner', 'inner') })
  .map(({ outer, inner, about }) => {
    const last = outer.length - 1
    const [start, ...rest] = inner.filter(({ type }) => type !== 'approval').map((event) => withCall(event, 'inner'))
    const body = rest.toSpliced(rest.findIndex(({ type }) => type === 'tool-input') + 1, 0, ...about)
    return [
      ...outer.slice(0, last).map((event) => withCall(event, 'outer')),
      { ...(start as EventOf<'tool-start'>), parentCallId: 'outer' },
      ...body,
      ...outer.slice(last).map((event) => withCall(event, 'outer')),
    ]
  })

/** The ids that a group of two calls needs. */
function withCall(event: StreamEvent, name: string): StreamEvent {
  const own = event.type === 'source' ? { sourceId: name } : event.type === 'file' ? { fileId: name } : {}
  return { ...event, callId: name, ...own } as StreamEvent
}
