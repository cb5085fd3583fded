import type { StreamEvent } from '@millrace/core/events'
import type { Scenario } from '../scenarios.ts'
import { called, finished, message, textBlock } from './message.ts'

/** The events as those of a subagent. */
function by(agentId: string, ...events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.map((event) => ({ ...event, agentId }))
}

export const agentScenarios: readonly Scenario[] = [
  {
    name: 'a subagent',
    round: (k) =>
      message(
        k,
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'reader', task: 'Read it.' },
        ...by(`agent-r${k}`, ...textBlock(k, 'Reading.'), ...called(`call-r${k}`), finished(`call-r${k}`)),
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done', summary: 'Read.' },
      ),
  },
  {
    name: 'a subagent in a subagent, beside another',
    round: (k) =>
      message(
        k,
        { type: 'subagent-start', agentId: `outer-r${k}`, name: 'lead' },
        { type: 'subagent-start', agentId: `inner-r${k}`, name: 'reader', parentAgentId: `outer-r${k}` },
        { type: 'subagent-start', agentId: `other-r${k}`, name: 'writer' },
        ...by(`inner-r${k}`, ...textBlock(k, 'In.', 'in')),
        ...by(`other-r${k}`, ...textBlock(k, 'Beside.', 'beside'), {
          type: 'status',
          message: 'Writing',
          level: 'info',
        }),
        { type: 'subagent-end', agentId: `inner-r${k}`, status: 'failed' },
        ...by(`outer-r${k}`, ...textBlock(k, 'Out.', 'out')),
        { type: 'subagent-end', agentId: `outer-r${k}`, status: 'cancelled' },
        { type: 'subagent-end', agentId: `other-r${k}`, status: 'interrupted', summary: 'Cut.' },
      ),
  },
  {
    name: 'a subagent with steps and messages',
    round: (k) =>
      message(
        k,
        ...called(`task-r${k}`, 'delegate'),
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'reader', callId: `task-r${k}` },
        ...by(
          `agent-r${k}`,
          { type: 'message-start', messageId: `inner-r${k}`, role: 'assistant' },
          { type: 'step-start', kind: 'model' },
          ...textBlock(k, 'Reading.'),
          { type: 'usage', scope: 'step', mode: 'snapshot', outputTokens: 7 },
          { type: 'step-end' },
          { type: 'message-end', messageId: `inner-r${k}` },
        ),
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done' },
        finished(`task-r${k}`),
      ),
  },
  {
    name: 'a step of a subagent between two counts of one step',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'model' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 100, outputTokens: 1 },
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'reader' },
        ...by(
          `agent-r${k}`,
          { type: 'step-start', kind: 'model' },
          { type: 'usage', scope: 'step', mode: 'snapshot', outputTokens: 7 },
          ...textBlock(k, 'Reading.'),
          { type: 'step-end' },
        ),
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 100, outputTokens: 50 },
        { type: 'step-end' },
      ),
  },
  {
    name: 'a call that starts a subagent',
    round: (k) => message(k, ...called(`task-r${k}`, 'Task', { prompt: 'Read it.' }), finished(`task-r${k}`, 'Read.')),
  },
  {
    // Of a subagent: it has a list of its own, so that each round begins a list.
    name: 'a call of a subagent that writes todos',
    round: (k) =>
      message(
        k,
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'planner' },
        ...by(
          `agent-r${k}`,
          ...called(`todo-r${k}`, 'TodoWrite', { todos: [{ content: 'Sow', status: 'in_progress' }] }),
          finished(`todo-r${k}`),
          ...called(`create-r${k}`, 'TaskCreate', { subject: 'Mow' }),
          finished(`create-r${k}`, 'Task #4 created'),
          ...called(`next-r${k}`, 'TaskCreate', { subject: 'Reap' }),
          finished(`next-r${k}`, 'ok'),
          ...called(`update-r${k}`, 'TaskUpdate', { taskId: '4', status: 'completed' }),
          finished(`update-r${k}`),
        ),
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done' },
      ),
  },
]
