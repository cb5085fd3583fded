import { describe, expect, it } from 'vitest'
import { chunksOfEach, typesOf } from '../../test/wire/ag-ui.ts'
import type { StreamEvent } from '../events.ts'

const last = (...events: readonly StreamEvent[]) => chunksOfEach(events).at(-1)
const all = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()

describe("AG-UI's runs", () => {
  it.each([
    ['success', { type: 'success' }],
    ['cancelled', { type: 'cancelled' }],
    ['awaiting-input', { type: 'success' }],
  ] as const)('finishes with %s', (outcome, expectedOutcome) => {
    expect(last({ type: 'run-end', outcome, result: 7 })).toMatchObject([
      { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run', outcome: expectedOutcome, result: 7 },
    ])
  })

  it.each([
    [{ outcome: 'error', error: { message: 'It broke.', code: 'E1' } }, 'It broke.', 'E1'],
    [{ outcome: 'error', reason: 'no fuel' }, 'no fuel', undefined],
    [{ outcome: 'interrupted' }, 'The run was interrupted.', 'interrupted'],
  ] as const)('fails with %j', (end, message, code) => {
    const [chunk] = last({ type: 'run-end', ...end }) ?? []
    expect([chunk?.type, chunk?.message, chunk?.code]).toEqual(['RUN_ERROR', message, code])
  })

  it('ends once, also if a question is open then', () => {
    const chunks = last(
      { type: 'approval', approvalId: 'a', state: 'requested' },
      { type: 'run-end', outcome: 'error' },
    )
    expect(chunks?.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR'])
  })

  it('sends a null result under `millrace` only, because the client refuses it', () => {
    const [chunk] = last({ type: 'run-end', outcome: 'success', result: null }) ?? []
    expect(chunk).toMatchObject({ metadata: { millrace: { result: null } } })
    expect(chunk).not.toHaveProperty('result')
  })

  it('names the calls that have no output', () => {
    const start = { type: 'tool-start', callId: 'c', name: 'pick', runBy: 'client' } as const
    const end = { type: 'run-end', outcome: 'awaiting-input' } as const
    expect(last(start, { type: 'tool-input', callId: 'c', input: {} }, end)).toMatchObject([
      { outcome: { type: 'success', pendingToolCallIds: ['run/c'] } },
    ])
  })

  it('reports usage at the end of each run, and no usage twice', () => {
    const question = { type: 'approval', approvalId: 'a', state: 'requested' } as const
    const chunks = all(
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 5, costUsd: 0.1, model: 'mill' },
      question,
      { type: 'approval', approvalId: 'a', state: 'answered', answer: 1 },
      { type: 'step-start', kind: 'model' },
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 7, cacheReadTokens: 2 },
      { type: 'step-end' },
      { type: 'run-end', outcome: 'success' },
    )
    const reportedUsage = chunks.filter(({ type }) => type === 'RUN_FINISHED').map(({ usage }) => usage)
    expect(reportedUsage).toEqual([
      [{ model: 'mill', inputTokens: 5 }],
      [{ model: 'mill', inputTokens: 7, cachedInputTokens: 2 }],
    ])
  })

  it('does not report fractions and negative counts', () => {
    const counts = { inputTokens: 1.5, outputTokens: -3, reasoningTokens: 2 }
    const chunks = all(
      { type: 'usage', scope: 'run', mode: 'snapshot', ...counts },
      { type: 'run-end', outcome: 'success' },
    )
    expect(chunks.at(-1)?.usage).toEqual([{ reasoningTokens: 2 }])
  })
})

describe("AG-UI's messages", () => {
  it('sends a thought with its span, and what the provider needs back', () => {
    const chunks = all(
      { type: 'block-start', blockId: 'b', kind: 'reasoning', variant: 'thinking' },
      { type: 'block-delta', blockId: 'b', text: 'Hm.' },
      { type: 'block-patch', blockId: 'b', signature: 'seal' },
      { type: 'block-end', blockId: 'b' },
      { type: 'block-patch', blockId: 'b', encrypted: 'late' },
    )
    expect(typesOf(chunks)).toEqual([
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_ENCRYPTED_VALUE',
      'REASONING_MESSAGE_END',
      'REASONING_END',
      'REASONING_ENCRYPTED_VALUE',
    ])
    expect(chunks.flatMap(({ encryptedValue }) => encryptedValue ?? [])).toEqual(['seal', 'late'])
  })

  it('sends the metadata of a text again at its end, with what was added', () => {
    const meta = { anthropic: { index: 1 } }
    const chunks = all(
      { type: 'block-start', blockId: 'b', kind: 'text', variant: 'refusal', messageId: 'm' },
      { type: 'block-patch', blockId: 'b', citations: ['page 4'], meta },
      { type: 'block-end', blockId: 'b', interrupted: true },
    )
    const extra = { variant: 'refusal', messageId: 'm', citations: ['page 4'], interrupted: true, meta }
    expect(chunks.at(-1)).toEqual({ type: 'TEXT_MESSAGE_END', messageId: 'run/b', metadata: { millrace: extra } })
  })

  it('sends late citations in a custom event', () => {
    expect(last({ type: 'block-patch', blockId: 'b', citations: ['page 4'] })).toEqual([
      { type: 'CUSTOM', name: 'millrace.block-patch', value: { blockId: 'run/b', citations: ['page 4'] } },
    ])
  })

  it('does not repeat messages of the user, but sends those that a subagent receives', () => {
    const userMessage = (agentId?: string): StreamEvent[] => {
      const scope = agentId === undefined ? {} : { agentId }
      return [
        { type: 'message-start', messageId: 'u', role: 'user', ...scope },
        { type: 'block-start', blockId: 'b', kind: 'text', ...scope },
        { type: 'block-delta', blockId: 'b', text: 'Go.' },
        { type: 'block-end', blockId: 'b' },
        { type: 'file', fileId: 'f', mediaType: 'text/plain', ...scope },
        { type: 'message-end', messageId: 'u', ...scope },
      ]
    }
    expect(all(...userMessage())).toEqual([])
    const patch = { type: 'block-patch', blockId: 'b', citations: [{ page: 1 }], meta: { mill: { a: 1 } } } as const
    const [start, block, ...rest] = userMessage()
    expect(all(start as StreamEvent, block as StreamEvent, patch, ...rest, patch)).toEqual([])
    expect(all(...userMessage('pilot'))).toMatchObject([
      { type: 'TEXT_MESSAGE_START', role: 'user', subagentRunId: 'pilot' },
      { type: 'TEXT_MESSAGE_CONTENT' },
      { type: 'TEXT_MESSAGE_END' },
      { type: 'CUSTOM', name: 'millrace.file' },
    ])
  })

  it('keeps the metadata of an AG-UI server at its keys, and never writes to the key that the protocol reserves', () => {
    const meta = { 'ag-ui': { trace: 't1' }, anthropic: { index: 1 } }
    expect(last({ type: 'block-start', blockId: 'b', kind: 'text', meta })).toEqual([
      {
        type: 'TEXT_MESSAGE_START',
        messageId: 'run/b',
        role: 'assistant',
        metadata: { trace: 't1', millrace: { meta } },
      },
    ])
  })

  it('rounds times, because the client requires whole numbers', () => {
    expect(last({ type: 'step-start', kind: 'model', sentAt: 12.6 })).toMatchObject([{ timestamp: 13 }])
  })
})

describe("AG-UI's other events", () => {
  it('shows todos as an activity that is replaced whole', () => {
    const item = { id: '1', content: 'Read', status: 'pending' } as const
    const chunks = all(
      { type: 'todos', listId: 'l', op: 'set', items: [item] },
      { type: 'todos', listId: 'l', op: 'update', items: [{ ...item, content: '', status: 'completed' }] },
    )
    expect(chunks.at(-1)).toMatchObject({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: 'run/todos/l',
      content: { todos: [{ id: '1', content: 'Read', status: 'completed' }] },
    })
  })

  it('sends data that has an id as an activity, and other data under its name', () => {
    const chart = { type: 'data', name: 'chart', data: { bars: 3 } } as const
    expect(last({ ...chart, id: 'd' })).toMatchObject([{ type: 'ACTIVITY_SNAPSHOT', activityType: 'chart' }])
    expect(last(chart)).toEqual([{ type: 'CUSTOM', name: 'chart', value: { bars: 3 } }])
    expect(last({ ...chart, id: 'd', data: [3] })).toMatchObject([{ type: 'CUSTOM', value: [3] }])
  })

  it('sends the shared state to the client, and other channels as custom events', () => {
    const state = (channel: string, op: 'snapshot' | 'patch', value: object) =>
      ({ type: 'state', channel, op, value }) as StreamEvent
    const chunks = all(
      state('checkpoint', 'snapshot', { n: 1 }),
      state('values', 'snapshot', { a: 1 }),
      state('state', 'snapshot', { b: 1 }),
      state('values', 'patch', [{ op: 'replace', path: '/a', value: 2 }]),
      state('values', 'patch', [{ op: 'replace', path: 'a', value: 2 }]),
    )
    expect(typesOf(chunks)).toEqual(['CUSTOM', 'STATE_SNAPSHOT', 'CUSTOM', 'STATE_DELTA', 'CUSTOM'])
  })

  it('passes raw records on, and sends nothing for requests', () => {
    expect(last({ type: 'raw', value: { odd: 1 }, reason: 'unmapped' })).toEqual([
      { type: 'RAW', event: { odd: 1 }, metadata: { millrace: { reason: 'unmapped' } } },
    ])
    expect(last({ type: 'control', action: 'stop' })).toEqual([])
  })
})
