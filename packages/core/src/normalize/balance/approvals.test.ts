import { eventsByType, illFormed } from '@millrace/testkit/any-event'
import { holds } from '@millrace/testkit/property'
import { runPasses } from '@millrace/testkit/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { balance } from '../balance.ts'

type Approval = EventOf<'approval'>

const balanced = (...events: readonly StreamEvent[]) => runPasses([balance], events)
const isApproval = (event: StreamEvent): event is Approval => event.type === 'approval'

const call: StreamEvent = { type: 'tool-start', callId: 'c', name: 'write', runBy: 'agent' }
const input: StreamEvent = { type: 'tool-input', callId: 'c', input: { path: 'a' } }
const report: StreamEvent = { type: 'tool-progress', callId: 'c', channel: 'text', text: 'half' }
const outputOf = (status: EventOf<'tool-output'>['status']): StreamEvent => {
  return { type: 'tool-output', callId: 'c', status, output: 'x' }
}
const output = outputOf('ok')
const asked: Approval = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested', message: 'May I?' }
const answered = (state: Approval['state'], more: Partial<Approval> = {}): Approval => {
  return { type: 'approval', approvalId: 'p', callId: 'c', state, ...more }
}
const raw = (value: StreamEvent): StreamEvent => ({ type: 'raw', value: value as unknown as Json, reason: 'unmapped' })

/** The approvals and the `raw` events that a call with these events has. */
const keptOf = (...events: readonly StreamEvent[]) =>
  balanced(call, input, ...events).filter((event) => isApproval(event) || event.type === 'raw')

describe('an approval', () => {
  it('drops a request that comes again, while it is open and after its answer', () => {
    const approved = answered('approved')
    expect(keptOf(asked, asked, approved, asked, output)).toEqual([asked, approved])
    const other = { ...asked, message: 'May I really?' }
    expect(keptOf(asked, other, approved, output)).toEqual([asked, approved])
  })

  it('is another one with another id if its request differs after its answer', () => {
    const approved = answered('approved')
    for (const more of [{ message: 'May I really?' }, { request: { path: 'b' } }]) {
      const other = { ...asked, ...more }
      const second = { approvalId: 'p~2' }
      expect(keptOf(asked, approved, other, other, approved, approved, output)).toEqual([
        asked,
        approved,
        { ...other, ...second },
        { ...approved, ...second },
      ])
      // A host answers by the id that it was asked under.
      expect(keptOf(asked, approved, other, { ...approved, ...second }, output).at(-1)).toEqual({
        ...approved,
        ...second,
      })
    }
  })

  it('is another one with another id if its call is another one that has the same id', () => {
    const approved = answered('approved')
    const round = [call, input, asked, approved, output]
    const ofSecond = { approvalId: 'p~2', callId: 'c~2' }
    expect(balanced(...round, ...round).filter(isApproval)).toEqual([
      asked,
      approved,
      { ...asked, ...ofSecond },
      { ...approved, ...ofSecond },
    ])
    expect(keptOf(asked, approved, output, asked)).toEqual([asked, approved])
  })

  it('drops an equal answer: the server’s, and the one that a parser infers from the next update', () => {
    const approved = answered('approved')
    expect(keptOf(asked, approved, answered('approved'), output)).toEqual([asked, approved])
    const { callId: _callId, ...inferred } = approved
    expect(keptOf(asked, approved, asked, inferred, output)).toEqual([asked, approved])
    const chosen = answered('answered', { answer: { a: 1, b: [2] } })
    expect(keptOf(asked, chosen, answered('answered', { answer: { b: [2], a: 1 } }), output)).toEqual([asked, chosen])
  })

  it('keeps a different answer as raw, and its first answer', () => {
    const approved = answered('approved')
    const others: readonly Partial<Approval>[] = [
      { state: 'denied' },
      { message: 'Please.' },
      { answer: true },
      { remember: 'session' },
      { input: { path: 'b' } },
    ]
    for (const more of others) {
      const other = { ...approved, ...more }
      expect(keptOf(asked, approved, other, output)).toEqual([asked, approved, raw(other)])
    }
  })

  it('is requested with the fields of its answer if nothing requested it', () => {
    const more = { message: 'Yes.', request: { path: 'a' } }
    const approved = answered('approved', { ...more, remember: 'session', input: { path: 'b' } })
    expect(keptOf(approved, output)).toEqual([answered('requested', more), approved])
  })

  it('leaves the input of its call as it was asked, whatever was approved', () => {
    const inputs = balanced(call, input, asked, answered('approved', { input: { path: 'b' } }), output).filter(
      ({ type }) => type === 'tool-input',
    )
    expect(inputs).toEqual([input])
  })

  it('has one request and at most one answer after it, in any sequence of events', () => {
    holds(
      fc.property(fc.array(approvalOrCall, { maxLength: 30 }), (events) => {
        expectOneAnswerEach(balanced(...events))
      }),
      300,
    )
    holds(
      fc.property(illFormed, (events) => expectOneAnswerEach(balanced(...events))),
      300,
    )
  })
})

const TYPES: ReadonlySet<string> = new Set(['approval', 'tool-start', 'tool-progress', 'tool-output'])
const approvalOrCall = fc.oneof(...eventsByType.flatMap(([type, event]) => (TYPES.has(type) ? [event] : [])))

function expectOneAnswerEach(events: readonly StreamEvent[]): void {
  for (const approvals of Map.groupBy(events.filter(isApproval), ({ approvalId }) => approvalId).values()) {
    const areAnswers = approvals.map(({ state }) => state !== 'requested')
    expect([[false], [false, true]]).toContainEqual(areAnswers)
  }
}

describe('an approval whose call goes on', () => {
  const expired = answered('expired', { reason: 'went-on' })
  const afterInput = (...events: readonly StreamEvent[]) => {
    const all = balanced(call, input, ...events)
    return all.slice(all.indexOf(input) + 1, -2)
  }

  it('stays open while the call only reports, and can be answered then', () => {
    const approved = answered('approved')
    expect(afterInput(asked, report, approved, output)).toEqual([asked, report, approved, output])
  })

  it('expires before the output of the call', () => {
    expect(afterInput(asked, report, output)).toEqual([asked, report, expired, output])
    for (const status of ['ok', 'error', 'cancelled'] as const) {
      expect(afterInput(asked, outputOf(status))).toEqual([asked, expired, outputOf(status)])
    }
  })

  it('does not expire if its answer came first, as that of a denied call does', () => {
    expect(afterInput(asked, answered('approved'), report, output)).toEqual([
      asked,
      answered('approved'),
      report,
      output,
    ])
    const denied = [asked, answered('denied'), outputOf('denied')]
    expect(afterInput(...denied)).toEqual(denied)
  })

  it('expires with every other question about the call, and leaves those about others open', () => {
    const second = { ...asked, approvalId: 'q' }
    const { callId: _callId, ...free } = { ...asked, approvalId: 'free' }
    const otherCall: StreamEvent = { ...call, callId: 'd' }
    const otherAsked = { ...asked, approvalId: 'r', callId: 'd' }
    const states = balanced(call, otherCall, asked, second, free, otherAsked, output).filter(isApproval)
    const ofReason = (reason: string | undefined) =>
      states.flatMap((event) => (event.state === 'expired' && event.reason === reason ? [event.approvalId] : []))
    expect(ofReason('went-on')).toEqual(['p', 'q'])
    expect(ofReason(undefined)).toEqual(['free', 'r'])
  })

  it('names the call by its emitted id', () => {
    const again = balanced(call, output, call, asked, output).filter(isApproval)
    expect(again).toEqual([
      { ...asked, callId: 'c~2' },
      { ...expired, callId: 'c~2' },
    ])
  })

  it('drops that the stream, too, reports it as expired', () => {
    expect(keptOf(asked, output, answered('expired'))).toEqual([asked, expired])
  })
})

it('an approval that was forgotten counts as new: the memory is bounded', () => {
  const many = Array.from({ length: 8192 }, (_, number) => answered('approved', { approvalId: `n${number}` }))
  const count = (events: readonly StreamEvent[]) =>
    events.filter((event) => isApproval(event) && event.approvalId === 'p').length
  expect(count(balanced(call, asked, answered('approved'), ...many.slice(1), asked))).toBe(2)
  expect(count(balanced(call, asked, answered('approved'), ...many, asked))).toBeGreaterThan(2)
})

describe('the output of a call with an answer', () => {
  const stateOf = (...events: readonly StreamEvent[]) =>
    balanced(call, input, asked, ...events).flatMap((event) => (event.type === 'tool-output' ? [event.status] : []))

  it('is denied if a person denied it, whether its agent calls that a failure or says nothing', () => {
    expect(stateOf(answered('denied'), outputOf('error'))).toEqual(['denied'])
    expect(stateOf(answered('denied'))).toEqual(['denied'])
    expect(stateOf(answered('denied'), outputOf('ok'))).toEqual(['ok'])
  })

  it('is not denied if a person approved it: the call was cut off', () => {
    expect(stateOf(answered('approved'), outputOf('denied'))).toEqual(['cancelled'])
    expect(stateOf(answered('approved'), outputOf('error'))).toEqual(['error'])
  })
})
