import type { EventOf, StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { anyOf, json } from './any-event.ts'
import { asSubagent, type EventGroup, interleaved, type Plan, streamOf } from './compose.ts'
import { block } from './streams/blocks.ts'
import { call, nestedCalls, questions } from './streams/calls.ts'
import { others } from './streams/others.ts'
import { fields, text } from './streams/values.ts'
import { enums } from './vocabulary.ts'

const group = fc.oneof(
  { weight: 8, arbitrary: block },
  { weight: 6, arbitrary: call },
  { weight: 1, arbitrary: nestedCalls },
  { weight: 1, arbitrary: questions },
  { weight: 7, arbitrary: others },
)

const picks = fc.array(fc.nat(7), { maxLength: 40 })

const subagentFields = fields(
  { name: fc.constantFrom('researcher', 'writer'), status: anyOf(enums['subagent-end'].status) },
  { task: text, summary: text, isOfCall: fc.constant(true), hasMessage: fc.constant(true) },
)

/** A subagent with these groups, perhaps started by a call, perhaps with a message of its own. */
function subagentOf(groups: Arbitrary<readonly EventGroup[]>): Arbitrary<EventGroup> {
  return fc
    .record({ groups, picks, about: subagentFields })
    .map(({ groups, picks, about }) => asSubagent(interleaved(groups, picks), about))
}

const inner = subagentOf(fc.array(group, { maxLength: 2 }))
const withInner = fc.oneof({ weight: 4, arbitrary: group }, { weight: 1, arbitrary: inner })
const subagent = subagentOf(fc.array(withInner, { maxLength: 3 }))

const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 0)

const message: Arbitrary<Plan['messages'][number]> = fields(
  {
    role: fc.oneof(
      { weight: 5, arbitrary: fc.constant('assistant' as const) },
      { weight: 2, arbitrary: anyOf(enums['message-start'].role) },
    ),
    groups: fc.array(fc.oneof({ weight: 8, arbitrary: group }, { weight: 1, arbitrary: subagent }), { maxLength: 5 }),
    picks,
    areAnswersLate: fc.boolean(),
    isStep: rarely,
    isNamed: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    isInterrupted: rarely,
    retracts: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
    ),
  },
  { model: fc.constantFrom('model-1', 'model-2') },
)

const error = fields({ message: text }, { code: text, name: text })

const end: Arbitrary<EventOf<'run-end'>> = fields(
  { outcome: anyOf(enums['run-end'].outcome) },
  { reason: text, error, result: json },
).map(({ error, ...end }) => ({
  type: 'run-end',
  ...end,
  ...(end.outcome === 'error' && error !== undefined && { error }),
}))

const plan: Arbitrary<Plan> = fc.record({
  start: fields({}, { agent: fc.constant('agent-1'), model: fc.constant('model-1') }),
  messages: fc.array(message, { maxLength: 4 }),
  end,
  clock: fc.constantFrom('none', 'none', 'some', 'all'),
  notedEach: fc.constantFrom(0, 0, 3, 5),
})

/** Well-formed streams: parallel blocks and calls, nested subagents, late answers and outputs, everything interleaved. */
export const wellFormed: Arbitrary<StreamEvent[]> = plan.map(streamOf)
