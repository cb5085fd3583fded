import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../events.ts'
import { createStamp } from '../../read/stamp.ts'
import { agUi } from '../ag-ui.ts'
import type { Chunk } from '../wire.ts'

function chunksOf(...events: readonly StreamEvent[]): readonly Chunk[] {
  const wireState = agUi.create({ runId: 'run', threadId: 'thread', profile: '0' })
  const stamp = createStamp()
  return events.flatMap((event) => wireState.push(stamp(event, 0)))
}

const call = (runBy: 'agent' | 'client'): readonly StreamEvent[] => [
  { type: 'tool-start', callId: 'c', name: 'look', runBy },
  { type: 'tool-input', callId: 'c', input: {} },
]

describe('the profile of AG-UI before 1.0', () => {
  it('names no version, and no outcome of a run that ends by itself or leaves calls to the client', () => {
    const [start, ...rest] = chunksOf({ type: 'run-start' }, ...call('client'), {
      type: 'run-end',
      outcome: 'awaiting-input',
    })
    expect(start).not.toHaveProperty('protocolVersion')
    expect(rest.at(-1)).toEqual({
      type: 'RUN_FINISHED',
      threadId: 'thread',
      runId: 'run',
      metadata: { millrace: { outcome: 'awaiting-input' } },
    })
  })

  it('ends a run that waits with an interrupt that names no subagent', () => {
    const last = chunksOf(
      { type: 'run-start' },
      { type: 'subagent-start', agentId: 'a', name: 'pilot' },
      {
        type: 'approval',
        approvalId: 'q',
        agentId: 'a',
        state: 'requested',
        message: 'May I?',
      },
    ).at(-1)
    const interrupts = [{ id: 'q', reason: 'input_required', message: 'May I?' }]
    expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } })
    expect(JSON.stringify(last)).not.toContain('subagentRunId')
  })

  it('has results as text', () => {
    const output = [{ type: 'text', text: 'High water' }]
    const last = chunksOf({ type: 'run-start' }, ...call('agent'), {
      type: 'tool-output',
      callId: 'c',
      status: 'ok',
      output,
    }).at(-1)
    expect(last).toMatchObject({ content: JSON.stringify(output), metadata: { millrace: { json: true } } })
  })

  it('has a failure where assistant-ui looks for it, and nowhere else', () => {
    const results = (['ok', 'error', 'denied'] as const).map((status) =>
      chunksOf({ type: 'run-start' }, ...call('agent'), {
        type: 'tool-output',
        callId: 'c',
        status,
        output: 'No wood',
      }).at(-1),
    )
    expect(results.map((chunk) => [chunk?.content, chunk?.isError, chunk?._meta])).toEqual([
      ['No wood', undefined, undefined],
      ['No wood', true, {}],
      ['No wood', true, {}],
    ])
  })

  it('has a subagent as one activity, its steps under names of their own, and its text as a thought', () => {
    const agentId = 'a'
    const chunks = chunksOf(
      { type: 'run-start' },
      { type: 'subagent-start', agentId, name: 'pilot', task: 'Sound the bar' },
      { type: 'step-start', kind: 'model', agentId },
      { type: 'block-start', blockId: 'b', kind: 'text', agentId },
      { type: 'block-delta', blockId: 'b', text: 'Slack water.' },
      { type: 'block-end', blockId: 'b', agentId },
      { type: 'subagent-end', agentId, status: 'done', summary: 'At six.' },
    )
    expect(chunks.slice(1).map(({ type, stepName, content, delta }) => stepName ?? content ?? delta ?? type)).toEqual([
      { name: 'pilot', task: 'Sound the bar', state: 'live' },
      'model of a',
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'Slack water.',
      'REASONING_MESSAGE_END',
      'REASONING_END',
      { name: 'pilot', task: 'Sound the bar', state: 'done', summary: 'At six.' },
    ])
    expect(new Set(chunks.filter(({ content }) => content).map(({ messageId }) => messageId))).toEqual(
      new Set(['run/subagent/a']),
    )
  })

  it('is the only one', () => {
    expect(() => agUi.create({ runId: 'run', threadId: 'thread', profile: '2' })).toThrow('profile 2')
  })
})
