import type { StreamEvent } from '@millrace/core/events'
import type { Run } from './fold-laws.ts'
import { balanced, entriesOf } from './runs.ts'
import { roundsOf, runOf, type Scenario, scenarios } from './scenarios.ts'

function message(k: number, ...events: readonly StreamEvent[]): readonly StreamEvent[] {
  const messageId = `message-r${k}`
  return [{ type: 'message-start', messageId, role: 'assistant' }, ...events, { type: 'message-end', messageId }]
}

function written(k: number, text: string): readonly StreamEvent[] {
  const blockId = `written-r${k}`
  return [
    { type: 'block-start', blockId, kind: 'text' },
    { type: 'block-delta', blockId, text },
    { type: 'block-end', blockId },
  ]
}

function called(callId: string): readonly StreamEvent[] {
  return [
    { type: 'tool-start', callId, name: 'search', runBy: 'agent' },
    { type: 'tool-input', callId, input: { query: 'mill' } },
  ]
}

const finished = (callId: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output: 'found' })

/** A citation in the shape of the one client that has citations. */
const cited = (id: string) => ({ source: { type: 'source', sourceType: 'url', id, url: 'https://example.com/' } })

const asked = (approvalId: string, callId?: string): StreamEvent => ({
  type: 'approval',
  approvalId,
  state: 'requested',
  message: 'May I?',
  ...(callId !== undefined && { callId }),
})

/** Things that leave something open over others, which a wire has to keep apart. */
export const wireScenarios: readonly Scenario[] = [
  {
    name: 'two questions while a text is written, one of which is answered at once',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `text-r${k}`, kind: 'text' },
        asked(`one-r${k}`),
        asked(`two-r${k}`),
        { type: 'approval', approvalId: `one-r${k}`, state: 'answered', answer: 1 },
        { type: 'block-delta', blockId: `text-r${k}`, text: 'Written.' },
        { type: 'block-end', blockId: `text-r${k}` },
        { type: 'approval', approvalId: `two-r${k}`, state: 'expired' },
      ),
  },
  {
    name: 'a question that is asked again with more',
    round: (k) =>
      message(
        k,
        asked(`asked-r${k}`),
        { type: 'approval', approvalId: `asked-r${k}`, state: 'requested', request: { path: 'a' } },
        { type: 'approval', approvalId: `asked-r${k}`, state: 'approved' },
        ...written(k, 'Thanks.'),
      ),
  },
  {
    name: 'a question over steps and subagents, one of whose parents has ended',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'action', name: 'outer' },
        { type: 'subagent-start', agentId: `parent-r${k}`, name: 'lead' },
        { type: 'subagent-start', agentId: `child-r${k}`, name: 'reader', parentAgentId: `parent-r${k}` },
        { type: 'step-start', kind: 'model', name: 'inner', agentId: `child-r${k}` },
        { type: 'subagent-end', agentId: `parent-r${k}`, status: 'done' },
        ...called(`call-r${k}`),
        asked(`asked-r${k}`, `call-r${k}`),
        { type: 'approval', approvalId: `asked-r${k}`, callId: `call-r${k}`, state: 'approved' },
        { type: 'tool-progress', callId: `call-r${k}`, channel: 'text', text: 'half' },
        finished(`call-r${k}`),
        ...written(k, 'Read.').map((event) => ({ ...event, agentId: `child-r${k}` })),
        { type: 'step-end', agentId: `child-r${k}` },
        { type: 'subagent-end', agentId: `child-r${k}`, status: 'done' },
        { type: 'step-end' },
      ),
  },
  {
    name: 'citations and signatures that are patched twice while their block is open',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `cited-r${k}`, kind: 'text' },
        { type: 'block-delta', blockId: `cited-r${k}`, text: 'Mills grind.' },
        { type: 'block-patch', blockId: `cited-r${k}`, citations: [cited('a')] },
        { type: 'block-patch', blockId: `cited-r${k}`, citations: [cited('a'), cited('b')] },
        { type: 'block-end', blockId: `cited-r${k}` },
        { type: 'block-start', blockId: `thought-r${k}`, kind: 'reasoning' },
        { type: 'block-delta', blockId: `thought-r${k}`, text: 'Hm.' },
        { type: 'block-patch', blockId: `thought-r${k}`, signature: 'signed' },
        { type: 'block-patch', blockId: `thought-r${k}`, encrypted: 'hidden' },
        { type: 'block-end', blockId: `thought-r${k}` },
      ),
  },
  {
    name: 'counts of a step over the steps of a subagent',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'model' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 5 },
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'reader' },
        { type: 'step-start', kind: 'model', agentId: `agent-r${k}` },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 3, agentId: `agent-r${k}` },
        { type: 'step-end', agentId: `agent-r${k}` },
        { type: 'step-start', kind: 'model', agentId: `agent-r${k}` },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 4, agentId: `agent-r${k}` },
        { type: 'step-end', agentId: `agent-r${k}` },
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 6, outputTokens: 1 },
        { type: 'step-end', reason: 'end_turn' },
      ),
  },
  {
    name: 'calls of a subagent one after another, whose outputs name no agent',
    round: (k) =>
      message(
        k,
        { type: 'subagent-start', agentId: `agent-r${k}`, name: 'reader' },
        ...called(`first-r${k}`).map((event) => ({ ...event, agentId: `agent-r${k}` })),
        finished(`first-r${k}`),
        ...called(`second-r${k}`).map((event) => ({ ...event, agentId: `agent-r${k}` })),
        finished(`second-r${k}`),
        { type: 'subagent-end', agentId: `agent-r${k}`, status: 'done' },
        ...called(`main-r${k}`),
        finished(`main-r${k}`),
      ),
  },
  {
    name: 'a final step that answers with files',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'final' },
        {
          type: 'file',
          fileId: `one-r${k}`,
          mediaType: 'image/png',
          filename: 'one.png',
          url: 'https://example.com/1',
        },
        {
          type: 'file',
          fileId: `two-r${k}`,
          mediaType: 'image/png',
          filename: 'two.png',
          url: 'https://example.com/2',
        },
        { type: 'step-end' },
      ),
  },
  {
    name: 'the state that the client holds, set and patched',
    round: (k) =>
      message(
        k,
        { type: 'state', channel: 'values', op: 'snapshot', value: { list: [] } },
        { type: 'state', channel: 'values', op: 'patch', value: [{ op: 'add', path: '/list/-', value: `a-r${k}` }] },
        { type: 'state', channel: 'values', op: 'patch', value: [{ op: 'replace', path: '/list/0', value: 'b' }] },
        { type: 'state', channel: 'other', op: 'snapshot', value: 1 },
      ),
  },
  {
    name: 'data of two names under one id',
    round: (k) =>
      message(
        k,
        { type: 'data', name: 'chart', id: `data-r${k}`, data: { bars: 1 } },
        { type: 'data', name: 'table', id: `data-r${k}`, data: { rows: 2 } },
      ),
  },
  {
    name: 'a text that goes on while the output of a call comes',
    round: (k) =>
      message(
        k,
        ...called(`call-r${k}`),
        { type: 'block-start', blockId: `text-r${k}`, kind: 'text' },
        { type: 'block-delta', blockId: `text-r${k}`, text: 'Before ' },
        finished(`call-r${k}`),
        { type: 'block-delta', blockId: `text-r${k}`, text: 'and after.' },
        { type: 'block-end', blockId: `text-r${k}` },
      ),
  },
  {
    name: 'a call of the client that has its output in the next run',
    round: (k) => message(k, ...called(`call-r${k}`).map(byClient), ...written(k, 'Please run it.')),
  },
]

/** Things that are begun in the first round and changed in the others, so that only their end can be compared. */
export const changingScenarios: readonly Scenario[] = [
  {
    name: 'steps with counts and a subagent that fails, around a question',
    round: (k) =>
      message(
        k,
        { type: 'step-start', kind: 'model' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 5, outputTokens: 2 },
        { type: 'step-end', reason: 'tool_use' },
        { type: 'subagent-start', agentId: `failed-r${k}`, name: 'reader' },
        { type: 'subagent-end', agentId: `failed-r${k}`, status: 'failed', summary: 'Lost.' },
        ...called(`call-r${k}`),
        asked(`asked-r${k}`, `call-r${k}`),
        { type: 'approval', approvalId: `asked-r${k}`, callId: `call-r${k}`, state: 'approved' },
        finished(`call-r${k}`),
        { type: 'step-start', kind: 'model' },
        { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 7, outputTokens: 3 },
        { type: 'step-end', reason: 'end_turn' },
      ),
  },
  {
    name: 'data and a list that are changed again in each round',
    round: (k) =>
      message(
        k,
        { type: 'data', name: 'chart', id: 'kept', data: { bars: 1 } },
        { type: 'data', name: 'chart', id: 'kept', data: { bars: 2 } },
        { type: 'todos', listId: 'kept', op: 'set', items: [{ id: '1', content: 'Sow', status: 'pending' }] },
        { type: 'todos', listId: 'kept', op: 'update', items: [{ id: '1', content: '', status: 'in_progress' }] },
        { type: 'todos', listId: 'kept', op: 'update', items: [{ id: '2', content: 'Mow', status: 'pending' }] },
        { type: 'todos', listId: 'kept', op: 'update', items: [{ id: '1', content: '', status: 'completed' }] },
      ),
  },
]

/** Things of which a wire says the same each time that they happen. */
export const repeatableScenarios: readonly Scenario[] = [...scenarios, ...wireScenarios]

/** A run of each scenario, in which everything happens twice. */
export const repeatedRuns: readonly Run[] = [...repeatableScenarios, ...changingScenarios].map((scenario) => ({
  name: scenario.name,
  entries: entriesOf(balanced(runOf(roundsOf(scenario, 2)))),
}))

function byClient(event: StreamEvent): StreamEvent {
  return event.type === 'tool-start' ? { ...event, runBy: 'client' } : event
}
