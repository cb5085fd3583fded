import { runPasses } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import type { EventOf, StreamEvent } from '../../events.ts'
import { balance } from '../balance.ts'

const balanced = (...events: readonly StreamEvent[]) => runPasses([balance], events)

const question = (state: EventOf<'approval'>['state'], approvalId = 'p'): StreamEvent => ({
  type: 'approval',
  approvalId,
  callId: 'c',
  state,
})
const call: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'ls', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: {} },
]
const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'x' }
const awaiting: StreamEvent = { type: 'run-end', outcome: 'awaiting-input', reason: 'tool-calls' }

const endOf = (...events: readonly StreamEvent[]) => balanced(...events, awaiting).at(-1)

describe('the end of a run that says that it awaits input', () => {
  it('is a success when every question has its answer, and every call its output', () => {
    const success = { type: 'run-end', outcome: 'success', reason: 'tool-calls' }
    expect(endOf(...call, question('requested'), question('approved'), output)).toEqual(success)
    expect(endOf(...call, question('requested'), output)).toEqual(success)
  })

  it('is kept while a question or a call is open, or if it shows no question at all', () => {
    expect(endOf(...call, question('requested'))).toEqual(awaiting)
    expect(endOf(...call, question('requested'), question('approved'))).toEqual(awaiting)
    expect(endOf(...call, question('requested'), question('approved'), output, question('requested', 'q'))).toEqual(
      awaiting,
    )
    expect(endOf({ type: 'approval', approvalId: 'free', state: 'requested' })).toEqual(awaiting)
    expect(endOf(...call, output)).toEqual(awaiting)
  })
})

describe('an answer that comes again', () => {
  const statesOf = (...events: readonly StreamEvent[]) =>
    balanced(...call, ...events, output).flatMap((event) => (event.type === 'approval' ? [event.state] : []))

  it('does not open its question again, with or without a request', () => {
    expect(statesOf(question('requested'), question('approved'), question('denied'))).toEqual(['requested', 'approved'])
    expect(statesOf(question('approved'), question('approved'))).toEqual(['requested', 'approved'])
    const twice = [question('requested'), question('approved'), question('requested'), question('denied')]
    expect(statesOf(...twice)).toEqual(['requested', 'approved'])
  })
})

describe('the end of a run that says that it succeeded', () => {
  const step: StreamEvent = { type: 'step-start', kind: 'model' }
  const clientCall: StreamEvent = { type: 'tool-start', callId: 'c', name: 'ls', runBy: 'client' }
  const outcomeOf = (...events: readonly StreamEvent[]) =>
    balanced(...events, { type: 'run-end', outcome: 'success' }).at(-1)

  it('awaits the output of a call that the client runs, unless the model has gone on without it', () => {
    expect(outcomeOf(step, clientCall)).toMatchObject({ outcome: 'awaiting-input' })
    expect(outcomeOf(step, clientCall, output)).toMatchObject({ outcome: 'success' })
    expect(outcomeOf(step, clientCall, step)).toMatchObject({ outcome: 'success' })
  })

  it('awaits the output even if a subagent goes on', () => {
    expect(outcomeOf(step, clientCall, { ...step, agentId: 'a' })).toMatchObject({ outcome: 'awaiting-input' })
  })
})
