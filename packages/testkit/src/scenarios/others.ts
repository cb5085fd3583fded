import type { Scenario } from '../scenarios.ts'
import { message, textBlock } from './message.ts'

export const otherScenarios: readonly Scenario[] = [
  {
    name: 'a step with content and its usage',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'model', name: 'plan', number: 1 },
        ...textBlock(k, 'Planned.'),
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 3, outputTokens: 1 },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 3, outputTokens: 5, costUsd: 1 },
        { type: 'step-end', reason: 'end_turn' },
        { type: 'step-start', kind: 'action' },
        { type: 'usage', scope: 'step', mode: 'add', outputTokens: 2, reasoningTokens: 4, cacheReadTokens: 8 },
        { type: 'usage', scope: 'step', mode: 'add', outputTokens: 2, cacheWriteTokens: 1, durationMs: 5, turns: 1 },
        { type: 'step-end' },
      ),
  },
  {
    name: 'usage of the run that adds up',
    round: (k) =>
      message(k, ...textBlock(k, 'Counted.'), { type: 'usage', scope: 'run', mode: 'add', inputTokens: 2, turns: 1 }),
  },
  {
    name: 'a list of todos',
    round: (k) =>
      message(
        k,
        { type: 'todos', listId: `list-r${k}`, op: 'set', items: [{ id: '1', content: 'Sow', status: 'pending' }] },
        { type: 'todos', listId: `list-r${k}`, op: 'update', items: [{ id: '1', content: '', status: 'completed' }] },
        {
          type: 'todos',
          listId: `list-r${k}`,
          op: 'update',
          items: [{ id: '2', content: 'Mow', status: 'cancelled' }],
        },
      ),
  },
  {
    name: 'a state that is set and patched',
    round: (k) =>
      message(
        k,
        { type: 'state', channel: `plan-r${k}`, op: 'snapshot', value: { done: [] } },
        { type: 'state', channel: `plan-r${k}`, op: 'patch', value: [{ op: 'add', path: '/done/-', value: 1 }] },
        { type: 'state', channel: `plan-r${k}`, op: 'patch', value: [{ op: 'add', path: '/done/-', value: 2 }] },
        ...textBlock(k, 'Patched.'),
      ),
  },
  {
    name: 'data that is replaced, and data that passes',
    round: (k) =>
      message(
        k,
        { type: 'data', name: 'chart', id: `chart-r${k}`, data: 1 },
        { type: 'data', name: 'chart', id: `chart-r${k}`, data: 2 },
        { type: 'data', name: 'blink', data: 3, transient: true },
        { type: 'data', name: 'table', id: `chart-r${k}`, data: 5 },
        { type: 'data', name: 'chart', id: `chart-r${k}`, data: 4 },
      ),
  },
  {
    name: 'statuses, an error that was survived, and what was not understood',
    round: (k) =>
      message(
        k,
        { type: 'status', message: 'Starting', level: 'info' },
        { type: 'status', message: 'Retrying', level: 'warn' },
        { type: 'error', message: 'Lost the line.', code: 'lost' },
        { type: 'status', message: 'Back', level: 'error' },
        { type: 'raw', value: { odd: true }, reason: 'unmapped' },
        ...textBlock(k, 'Done.'),
      ),
  },
  {
    name: 'a request to steer, metadata and a source',
    round: (k) =>
      message(
        k,
        { type: 'control', action: 'steer', by: 'user' },
        { type: 'metadata', metadata: { model: 'model-2' } },
        { type: 'source', sourceId: `source-r${k}`, kind: 'document', title: 'Mills', snippet: 'Of mills.' },
        { type: 'file', fileId: `file-r${k}`, mediaType: 'image/png', url: 'https://example.com/a.png' },
      ),
  },
]
