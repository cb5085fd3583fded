import { describe, expect, it } from 'vitest'
import { chunksOfEach, typesOf } from '../../../test/wire/ag-ui.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

const start = (callId: string, more: Partial<EventOf<'tool-start'>> = {}): StreamEvent => ({
  type: 'tool-start',
  callId,
  name: 'search',
  runBy: 'agent',
  ...more,
})
const output = (fields: Partial<EventOf<'tool-output'>>): StreamEvent => ({
  type: 'tool-output',
  callId: 'c',
  status: 'ok',
  output: 'found',
  ...fields,
})
const input: StreamEvent = { type: 'tool-input', callId: 'c', input: { query: 'mill' } }
const all = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()

describe('calls on the wire', () => {
  it('sends an input that was not streamed in one delta', () => {
    expect(all(start('c'), input).slice(1)).toEqual([
      { type: 'TOOL_CALL_ARGS', toolCallId: 'run/c', delta: '{"query":"mill"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'run/c' },
    ])
  })

  it.each([
    ['{"query":"mill"}', undefined],
    ['{ "query": "mi\\u006cl" }', undefined],
    ['{"query":"m', { query: 'mill' }],
    ['{"query":"m"}', { query: 'mill' }],
    ['{"query":"mull"}', { query: 'mill' }],
  ])('sends the input as metadata if the text %s is another one', (text, expectedInput) => {
    const [end] = all(start('c'), { type: 'tool-input-delta', callId: 'c', text }, input).slice(-1)
    const { millrace } = (end?.metadata ?? {}) as { millrace?: { input?: unknown } }
    expect(millrace?.input).toEqual(expectedInput)
  })

  it('marks an input that is not JSON', () => {
    const chunks = all(start('c'), { type: 'tool-input', callId: 'c', text: '{"que', error: 'Not JSON.' })
    expect(chunks.slice(1)).toMatchObject([
      { type: 'TOOL_CALL_ARGS', delta: '{"que' },
      { metadata: { millrace: { runBy: 'agent', inputText: '{"que', error: 'Not JSON.' } } },
    ])
  })

  it.each([
    [{ output: 'found' }, 'found', undefined],
    [{ output: { n: 1 } }, '{"n":1}', { millrace: { json: true } }],
    [{ output: null }, 'null', { millrace: { json: true } }],
    [{ output: [{ type: 'text', text: 'a' }] }, [{ type: 'text', text: 'a' }], undefined],
    [
      { output: [{ type: 'text', text: 'a', odd: 1 }] },
      '[{"type":"text","text":"a","odd":1}]',
      { millrace: { json: true } },
    ],
    [
      { status: 'error', output: null, error: 'It broke.' },
      'It broke.',
      {
        isError: true,
        tanstack: { state: 'output-error' },
        millrace: { output: null, status: 'error', error: 'It broke.' },
      },
    ],
    [
      { status: 'denied', output: '' },
      'The call was denied.',
      { isError: true, tanstack: { state: 'output-error' }, millrace: { output: '', status: 'denied' } },
    ],
  ] as const)('sends the output of %j', (fields, content, metadata) => {
    const [chunk] = all(start('c'), input, output(fields as Partial<EventOf<'tool-output'>>)).slice(-1)
    expect([chunk?.content, chunk?.metadata]).toEqual([content, metadata])
  })

  it('groups parallel calls in the message that announced them, and later calls in another', () => {
    const chunks = all(
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-end', blockId: 'b' },
      start('c'),
      start('d'),
      input,
      output({}),
      start('e'),
      start('f'),
      start('g', { agentId: 'pilot' }),
    )
    expect(chunks.flatMap(({ parentMessageId }) => parentMessageId ?? [])).toEqual([
      'run/b',
      'run/b',
      'run/calls/e',
      'run/calls/e',
      'run/calls/g',
    ])
  })

  it('appends the progress of a call to one activity', () => {
    const update = { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'line' } as const
    const chunks = all(start('c'), input, update, { ...update, percent: 50 }).slice(-2)
    expect(chunks).toMatchObject([
      { type: 'ACTIVITY_SNAPSHOT', content: { toolCallId: 'run/c', pieces: [{ channel: 'stdout', text: 'line' }] } },
      { type: 'ACTIVITY_DELTA', patch: [{ op: 'add', path: '/pieces/-', value: { text: 'line', percent: 50 } }] },
    ])
  })
})

describe('questions on the wire', () => {
  const ask: StreamEvent = { type: 'approval', approvalId: 'a', callId: 'c', state: 'requested', message: 'May I?' }
  const pausedEvents: readonly StreamEvent[] = [
    { type: 'step-start', kind: 'node', name: 'act' },
    { type: 'subagent-start', agentId: 'pilot', name: 'pilot' },
    start('c', { agentId: 'pilot' }),
    { ...ask, agentId: 'pilot' },
    { ...input, agentId: 'pilot' },
  ]

  it('finish the run once nothing is open, with steps and subagents suspended', () => {
    const [chunks = []] = chunksOfEach(pausedEvents).slice(-1)
    expect(typesOf(chunks)).toEqual([
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'STEP_FINISHED',
      'SUBAGENT_FINISHED',
      'RUN_FINISHED',
    ])
    expect(chunks.at(-2)).toMatchObject({ outcome: { type: 'suspended', interruptIds: ['a'] } })
    const interrupt = { id: 'a', reason: 'approval', message: 'May I?', toolCallId: 'run/c', subagentRunId: 'pilot' }
    expect(chunks.at(-1)).toMatchObject({ runId: 'run', outcome: { type: 'interrupt', interrupts: [interrupt] } })
  })

  it('are answered by the next run, which reopens steps and subagents', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', callId: 'c', state: 'approved' }
    const [chunks = []] = chunksOfEach([...pausedEvents, answer]).slice(-1)
    expect(typesOf(chunks)).toEqual(['RUN_STARTED', 'SUBAGENT_STARTED', 'STEP_STARTED', 'CUSTOM'])
    const resume = [{ interruptId: 'a', status: 'resolved', payload: { approved: true } }]
    expect(chunks[0]).toMatchObject({ runId: 'run.1', parentRunId: 'run', input: { runId: 'run.1', resume } })
  })

  it('finish no run if the answer comes before the run could finish', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', callId: 'c', state: 'denied' }
    expect(typesOf(all(start('c'), ask, answer, input))).not.toContain('RUN_FINISHED')
  })

  it('contain the request of the framework', () => {
    const request = { reason: 'confirmation', expiresAt: '2030-01-01T00:00:00Z', responseSchema: { type: 'string' } }
    const [chunk] = all({ type: 'approval', approvalId: 'a', state: 'requested', request }).slice(-1)
    expect(chunk).toMatchObject({ outcome: { interrupts: [{ id: 'a', ...request, metadata: { request } }] } })
  })

  it('do not name a parent that the next run has not started', () => {
    const chunks = all(
      { type: 'subagent-start', agentId: 'p', name: 'p' },
      { type: 'subagent-start', agentId: 'q', name: 'q', parentAgentId: 'p' },
      { type: 'subagent-end', agentId: 'p', status: 'done' },
      { type: 'approval', approvalId: 'a', state: 'requested' },
      { type: 'approval', approvalId: 'a', state: 'answered', answer: 'yes' },
      { type: 'subagent-start', agentId: 'r', name: 'r', parentAgentId: 'p' },
    )
    const parents = chunks.filter(({ type }) => type === 'SUBAGENT_STARTED').map((chunk) => chunk.parentSubagentRunId)
    expect(parents).toEqual([undefined, 'p', undefined, undefined])
    expect(chunks.at(-1)).toMatchObject({ metadata: { millrace: { parentAgentId: 'p' } } })
  })
})
