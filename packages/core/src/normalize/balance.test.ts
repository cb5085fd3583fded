import { runPasses } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { balance } from './balance.ts'

const balanced = (...events: readonly StreamEvent[]) => runPasses([balance], events)

/** Events without the start and end of the run and the minted message. */
const inner = (events: readonly StreamEvent[]) =>
  events.filter((event) => !['run-start', 'run-end', 'message-start', 'message-end'].includes(event.type))

const typesOf = (events: readonly StreamEvent[]) => events.map((event) => event.type)

const start = (blockId: string, messageId?: string): StreamEvent => ({
  type: 'block-start',
  blockId,
  kind: 'text',
  ...(messageId !== undefined && { messageId }),
})
const delta = (blockId: string, text: string): StreamEvent => ({ type: 'block-delta', blockId, text })
const end = (blockId: string): StreamEvent => ({ type: 'block-end', blockId })
const call = (callId: string): StreamEvent => ({ type: 'tool-start', callId, name: 'ls', runBy: 'agent' })
const input = (callId: string): StreamEvent => ({ type: 'tool-input', callId, input: { a: 1 } })
const output = (callId: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output: 'x' })
const success: StreamEvent = { type: 'run-end', outcome: 'success' }

describe('balance', () => {
  it('ends a block with its message, although the message of the subagent began after it', () => {
    const of = { agentId: 'a', messageId: 'm' } as const
    const events = balanced(
      { type: 'block-start', blockId: 'b', kind: 'text', ...of },
      { type: 'message-start', role: 'assistant', ...of },
      { type: 'message-end', ...of },
    )
    const types = typesOf(events)
    expect(types.indexOf('block-end')).toBeLessThan(types.indexOf('message-end'))
  })

  it('makes an interrupted run of an empty stream', () => {
    expect(balanced()).toEqual([{ type: 'run-start' }, { type: 'run-end', outcome: 'interrupted' }])
  })

  it('S0-8, S0-9: emits one run-start first and one run-end last, for any events in between', () => {
    const events = balanced(
      { type: 'run-start' },
      success,
      { type: 'run-start', model: 'm' },
      { type: 'status', message: 's', level: 'info' },
      { type: 'run-end', outcome: 'error', error: { message: 'e' } },
    )
    expect(typesOf(events)).toEqual(['run-start', 'metadata', 'message-start', 'status', 'message-end', 'run-end'])
    expect(events.at(-1)).toMatchObject({ outcome: 'error' })
  })

  it('mints a message for what is drawn outside one, and closes it when a real one begins', () => {
    const events = balanced(
      { type: 'status', message: 's', level: 'info' },
      { type: 'message-start', messageId: 'a', role: 'assistant' },
      start('b'),
      success,
    )
    expect(events.filter((event) => event.type.startsWith('message'))).toEqual([
      { type: 'message-start', messageId: 'm1', role: 'assistant' },
      { type: 'message-end', messageId: 'm1' },
      { type: 'message-start', messageId: 'a', role: 'assistant' },
      { type: 'message-end', messageId: 'a' },
    ])
  })

  it('opens a block for a delta that has none, and a new one for a delta after the end', () => {
    expect(inner(balanced(delta('b', 'x'), end('b'), delta('b', 'y'), end('b'), success))).toEqual([
      start('b'),
      delta('b', 'x'),
      end('b'),
      start('b~2'),
      delta('b~2', 'y'),
      end('b~2'),
    ])
  })

  it('keeps a reopened block in its kind, variant and agent', () => {
    const thinking: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'reasoning', variant: 'plan' }
    expect(inner(balanced(thinking, end('b'), delta('b', 'y'), success))).toContainEqual({
      ...thinking,
      blockId: 'b~2',
    })
  })

  it('closes what is open at the end: blocks as interrupted, calls as cancelled, a message as interrupted', () => {
    const events = balanced(start('b'), delta('b', 'x'), call('c'), input('c'), { type: 'step-start', kind: 'model' })
    expect(events.slice(-5)).toEqual([
      { type: 'block-end', blockId: 'b', interrupted: true },
      { type: 'tool-output', callId: 'c', status: 'cancelled', output: null },
      { type: 'step-end' },
      { type: 'message-end', messageId: 'm1', interrupted: true },
      { type: 'run-end', outcome: 'interrupted' },
    ])
  })

  it('leaves calls and approvals open if an answer is awaited', () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
    for (const outcome of ['awaiting-input', 'success'] as const) {
      const events = balanced(call('c'), input('c'), ask, { type: 'run-end', outcome, reason: 'r' })
      expect(typesOf(inner(events))).toEqual(['tool-start', 'tool-input', 'approval'])
      expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'awaiting-input', reason: 'r' })
    }
    const cut: StreamEvent = { type: 'run-end', outcome: 'interrupted' }
    expect(inner(balanced(call('c'), input('c'), ask, cut)).slice(3)).toEqual([
      { ...ask, state: 'expired' },
      { type: 'tool-output', callId: 'c', status: 'cancelled', output: null },
    ])
  })

  it('gives a call without input one before its output, and marks it if it was cut', () => {
    expect(inner(balanced(call('c'), output('c'), success))[1]).toEqual({ type: 'tool-input', callId: 'c', input: {} })
    expect(inner(balanced(call('c')))[1]).toMatchObject({ callId: 'c', text: '', error: expect.any(String) })
  })

  it('shows an output whose call was never announced, marked as an orphan', () => {
    expect(inner(balanced(output('c'), success))).toEqual([
      { type: 'tool-start', callId: 'c', name: 'unknown', runBy: 'agent', meta: { millrace: { orphan: true } } },
      { type: 'tool-input', callId: 'c', input: {} },
      output('c'),
    ])
  })

  it('keeps a second input or output as raw', () => {
    const events = inner(balanced(call('c'), input('c'), input('c'), output('c'), output('c'), success))
    expect(typesOf(events)).toEqual(['tool-start', 'tool-input', 'raw', 'tool-output', 'raw'])
  })

  it('gives a call that reuses a finished id a new id, and keeps using it', () => {
    const events = inner(
      balanced(
        call('c'),
        input('c'),
        output('c'),
        call('c'),
        input('c'),
        output('c'),
        { type: 'source', sourceId: 's', kind: 'url', callId: 'c' },
        success,
      ),
    )
    expect(events.slice(3).map((event) => (event as { callId?: string }).callId)).toEqual(['c~2', 'c~2', 'c~2', 'c~2'])
  })

  it('distinguishes a message of a subagent from one with the same id in the main thread', () => {
    const events = balanced(
      { type: 'message-start', messageId: 'x', role: 'assistant' },
      { type: 'message-start', messageId: 'x', role: 'assistant', agentId: 'g' },
      { type: 'block-start', blockId: 'b', kind: 'text', messageId: 'x', agentId: 'g' },
      { type: 'message-end', messageId: 'x', agentId: 'g' },
      success,
    )
    expect(events.filter((event) => event.type === 'message-start').map((event) => event.messageId)).toEqual([
      'x',
      'x~2',
    ])
    expect(events).toContainEqual({ type: 'block-start', blockId: 'b', kind: 'text', messageId: 'x~2', agentId: 'g' })
    expect(events).toContainEqual({ type: 'subagent-start', agentId: 'g', name: 'g' })
  })

  it('ends a subagent with everything that it left open', () => {
    const events = balanced(
      { type: 'subagent-start', agentId: 'g', name: 'Explorer' },
      { type: 'step-start', kind: 'model', agentId: 'g' },
      { type: 'block-start', blockId: 'b', kind: 'text', agentId: 'g' },
      { type: 'subagent-end', agentId: 'g', status: 'done' },
      { type: 'subagent-end', agentId: 'g', status: 'done' },
      success,
    )
    expect(typesOf(inner(events))).toEqual([
      'subagent-start',
      'step-start',
      'block-start',
      'step-end',
      'block-end',
      'subagent-end',
    ])
  })

  it('ends the blocks of a message with it', () => {
    const events = balanced(
      { type: 'message-start', messageId: 'a', role: 'assistant' },
      start('b', 'a'),
      start('c'),
      { type: 'message-end', messageId: 'a' },
      delta('b', 'late'),
      success,
    )
    expect(typesOf(events.slice(4, 7))).toEqual(['block-end', 'block-end', 'message-end'])
    expect(events).toContainEqual(delta('b~2', 'late'))
  })

  it('keeps blocks of parallel messages separate', () => {
    const events = balanced(
      { type: 'message-start', messageId: 'a', role: 'assistant' },
      { type: 'message-start', messageId: 'z', role: 'assistant' },
      start('ba', 'a'),
      start('bz', 'z'),
      { type: 'message-end', messageId: 'a' },
      delta('bz', 'x'),
      success,
    )
    expect(events).toContainEqual(delta('bz', 'x'))
    expect(events.filter((event) => event.type === 'block-start')).toHaveLength(2)
  })

  it('requests an approval before its answer, and once', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'approved' }
    const approvals = balanced(call('c'), answer, success).filter((event) => event.type === 'approval')
    expect(approvals.map((event) => event.state)).toEqual(['requested', 'approved'])
  })

  it('turns the whole text of a block that was never streamed into a delta', () => {
    expect(
      inner(balanced({ type: 'block-patch', blockId: 'b', text: 'all', signature: 's' }, success)).slice(0, 3),
    ).toEqual([
      { type: 'block-start', blockId: 'b', kind: 'reasoning' },
      delta('b', 'all'),
      { type: 'block-patch', blockId: 'b', signature: 's' },
    ])
  })

  it('mints an assistant message for a run error that has none', () => {
    expect(typesOf(balanced({ type: 'run-end', outcome: 'error', error: { message: 'e' } }))).toEqual([
      'run-start',
      'message-start',
      'message-end',
      'run-end',
    ])
  })

  it('does not nest steps of one agent', () => {
    const step: StreamEvent = { type: 'step-start', kind: 'model' }
    expect(typesOf(inner(balanced(step, step, { type: 'step-end' }, { type: 'step-end' }, success)))).toEqual([
      'step-start',
      'step-end',
      'step-start',
      'step-end',
    ])
  })
})
