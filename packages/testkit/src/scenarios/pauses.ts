import type { StreamEvent } from '@millrace/core/events'
import type { Scenario } from '../scenarios.ts'
import { called, finished, message, textBlock } from './message.ts'

type State = 'requested' | 'approved' | 'denied' | 'answered' | 'expired'

function approval(approvalId: string, state: State, callId?: string): StreamEvent {
  const detail = state === 'requested' ? { message: 'May I?', request: { path: 'a' } } : {}
  const answer = state === 'answered' ? { answer: { choice: 1 } } : {}
  return { type: 'approval', approvalId, state, ...(callId !== undefined && { callId }), ...detail, ...answer }
}

export const pauseScenarios: readonly Scenario[] = [
  {
    name: 'a pause and its answer',
    round: (k) =>
      message(
        k,
        ...called(`call-r${k}`),
        approval(`asked-r${k}`, 'requested', `call-r${k}`),
        approval(`asked-r${k}`, 'approved', `call-r${k}`),
        finished(`call-r${k}`),
      ),
  },
  {
    name: 'a pause that is denied, and one that expires',
    round: (k) =>
      message(
        k,
        ...called(`denied-r${k}`),
        approval(`first-r${k}`, 'requested', `denied-r${k}`),
        approval(`first-r${k}`, 'denied', `denied-r${k}`),
        { type: 'tool-output', callId: `denied-r${k}`, status: 'denied', output: null },
        ...called(`expired-r${k}`),
        approval(`second-r${k}`, 'requested', `expired-r${k}`),
        approval(`second-r${k}`, 'expired', `expired-r${k}`),
        { type: 'tool-output', callId: `expired-r${k}`, status: 'cancelled', output: null },
      ),
  },
  {
    name: 'two approvals at once, answered in reverse',
    round: (k) =>
      message(
        k,
        ...called(`one-r${k}`),
        ...called(`two-r${k}`),
        approval(`first-r${k}`, 'requested', `one-r${k}`),
        approval(`second-r${k}`, 'requested', `two-r${k}`),
        approval(`second-r${k}`, 'approved', `two-r${k}`),
        approval(`first-r${k}`, 'answered', `one-r${k}`),
        finished(`one-r${k}`, 1),
        finished(`two-r${k}`, 2),
      ),
  },
  {
    name: 'a question without a call',
    round: (k) =>
      message(
        k,
        approval(`asked-r${k}`, 'requested'),
        ...textBlock(k, 'Meanwhile.'),
        approval(`asked-r${k}`, 'answered'),
      ),
  },
  {
    name: 'a call that is asked about twice',
    round: (k) =>
      message(
        k,
        ...called(`call-r${k}`),
        approval(`first-r${k}`, 'requested', `call-r${k}`),
        approval(`first-r${k}`, 'approved', `call-r${k}`),
        approval(`second-r${k}`, 'requested', `call-r${k}`),
        approval(`second-r${k}`, 'approved', `call-r${k}`),
        finished(`call-r${k}`),
      ),
  },
  {
    name: 'a pause that lasts over a step and another message',
    round: (k) => [
      ...message(
        k,
        { type: 'step-start', kind: 'action' },
        ...called(`call-r${k}`),
        {
          ...approval(`asked-r${k}`, 'requested', `call-r${k}`),
        },
        { type: 'step-end' },
      ),
      { type: 'message-start', messageId: `next-r${k}`, role: 'assistant' },
      ...textBlock(k, 'Waiting.'),
      approval(`asked-r${k}`, 'approved', `call-r${k}`),
      finished(`call-r${k}`),
      { type: 'message-end', messageId: `next-r${k}` },
    ],
  },
]
