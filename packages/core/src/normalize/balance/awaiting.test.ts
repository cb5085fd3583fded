import { runPasses } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'
import type { StreamEvent } from '../../events.ts'
import { balance } from '../balance.ts'

const balanced = (...events: readonly StreamEvent[]) => runPasses([balance], events)

const success: StreamEvent = { type: 'run-end', outcome: 'success' }
const call = (callId: string): StreamEvent => ({ type: 'tool-start', callId, name: 'f', runBy: 'agent' })
const output = (callId: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output: 1 })

it('awaits input after a success if a client’s call has no output or a question no answer, and only then', () => {
  const ask: StreamEvent = { type: 'approval', approvalId: 'p', state: 'requested' }
  const outcomeOf = (...events: readonly StreamEvent[]) => balanced(...events, success).at(-1)
  const client: StreamEvent = { type: 'tool-start', callId: 'c', name: 'f', runBy: 'client' }
  expect(outcomeOf(client)).toMatchObject({ outcome: 'awaiting-input' })
  expect(outcomeOf(client, output('c'))).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(call('c'))).toMatchObject({ outcome: 'success' })
  expect(outcomeOf({ ...client, runBy: 'provider' })).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(ask)).toMatchObject({ outcome: 'awaiting-input' })
  // A model that goes on was given the output elsewhere.
  const step: StreamEvent = { type: 'step-start', kind: 'model' }
  const message: StreamEvent = { type: 'message-start', messageId: 'n', role: 'assistant' }
  expect(outcomeOf(step, client, step)).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(client, message)).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(client, { ...message, role: 'user' })).toMatchObject({ outcome: 'awaiting-input' })
  expect(outcomeOf(client, { ...step, agentId: 'a' })).toMatchObject({ outcome: 'awaiting-input' })
  expect(outcomeOf(step, client, message)).toMatchObject({ outcome: 'awaiting-input' })
  expect(outcomeOf(ask, { ...ask, state: 'denied' })).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(ask, message)).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(step, ask, step, ask)).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(step, ask, step, { ...ask, approvalId: 'q' })).toMatchObject({ outcome: 'awaiting-input' })
  // The output of a call settles a question about it.
  expect(outcomeOf(call('c'), { ...ask, callId: 'c' }, output('c'))).toMatchObject({ outcome: 'success' })
  expect(outcomeOf(call('c'), { ...ask, callId: 'c' })).toMatchObject({ outcome: 'awaiting-input' })
})
