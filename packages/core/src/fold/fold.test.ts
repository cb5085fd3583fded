import { describe, expect, it } from 'vitest'
import { entries } from '../../test/entries.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from './fold.ts'
import type { SegmentOf, SegmentType } from './shapes.ts'

const segmentsOf = (...events: readonly StreamEvent[]) => fold(entries(...events)).chatEvents[0]?.segments ?? []

function segmentOf<Type extends SegmentType>(type: Type, ...events: readonly StreamEvent[]): SegmentOf<Type> {
  const found = segmentsOf(...events).find((segment) => segment.type === type)
  if (found === undefined) throw new Error(`no ${type} segment`)
  return found as SegmentOf<Type>
}

const tool: StreamEvent = { type: 'tool-start', callId: 'c', name: 'ls', runBy: 'agent' }
const status = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })

describe('fold', () => {
  it('S0-13, S0-15: joins deltas in their block, with times and the entries that made it', () => {
    const text = segmentOf(
      'text',
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'Hel' },
      { type: 'block-delta', blockId: 'b', text: 'lo' },
      { type: 'block-end', blockId: 'b' },
    )
    expect(text).toEqual({
      type: 'text',
      id: 'b',
      text: 'Hello',
      state: 'done',
      startedAt: 3000,
      endedAt: 6000,
      seqs: [3, 6],
    })
  })

  it('S0-48: keeps interleaved blocks apart', () => {
    const segments = segmentsOf(
      { type: 'block-start', blockId: 'a', kind: 'text' },
      { type: 'block-start', blockId: 'b', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'a', text: '1' },
      { type: 'block-delta', blockId: 'b', text: '2' },
      { type: 'block-delta', blockId: 'a', text: '3' },
    )
    expect(segments.map((segment) => (segment as { text: string }).text)).toEqual(['13', '2'])
  })

  it("uses the framework's clock for start and end, once a record has a time", () => {
    const block = (sentAt?: number) =>
      segmentOf(
        'text',
        { type: 'block-start', blockId: 'b', kind: 'text', sentAt: 50 },
        { type: 'block-end', blockId: 'b', ...(sentAt !== undefined && { sentAt }) },
      )
    expect(block(70)).toMatchObject({ startedAt: 50, endedAt: 70 })
    expect(block()).toMatchObject({ startedAt: 50, endedAt: 1050 })
  })

  it('S0-63: shows the part of a tool input that can be parsed while it streams, then the input, then the output', () => {
    const streaming = [tool, { type: 'tool-input-delta', callId: 'c', text: '{"path":"/t' }] satisfies StreamEvent[]
    expect(segmentOf('tool', ...streaming)).toMatchObject({
      state: 'input',
      input: { path: '/t' },
      inputText: '{"path":"/t',
    })
    const ready = [...streaming, { type: 'tool-input', callId: 'c', input: { path: '/tmp' } }] satisfies StreamEvent[]
    expect(segmentOf('tool', ...ready)).toMatchObject({ state: 'ready', input: { path: '/tmp' } })
    expect(segmentOf('tool', ...ready).inputText).toBeUndefined()
    const done = segmentOf('tool', ...ready, { type: 'tool-output', callId: 'c', status: 'ok', output: ['a'] })
    expect(done).toMatchObject({ state: 'done', output: ['a'], startedAt: 3000, endedAt: 6000 })
  })

  it.each([
    ['error', 'failed'],
    ['denied', 'denied'],
    ['cancelled', 'cancelled'],
  ] as const)('ends a call with status %s as %s', (status, state) => {
    expect(
      segmentOf('tool', tool, { type: 'tool-output', callId: 'c', status: status, output: null, error: 'why' }),
    ).toMatchObject({ state, error: 'why' })
  })

  it('joins adjacent progress of one channel', () => {
    const progressEvent = (channel: 'stdout' | 'stderr', text: string): StreamEvent => ({
      type: 'tool-progress',
      callId: 'c',
      channel,
      text,
    })
    expect(
      segmentOf(
        'tool',
        tool,
        progressEvent('stdout', 'a'),
        progressEvent('stdout', 'b'),
        progressEvent('stderr', 'x'),
        progressEvent('stdout', 'c'),
      ),
    ).toMatchObject({
      state: 'running',
      progress: [
        { channel: 'stdout', text: 'ab' },
        { channel: 'stderr', text: 'x' },
        { channel: 'stdout', text: 'c' },
      ],
    })
  })

  it('attaches an approval to its call, and shows one without a call as a segment', () => {
    const ask = (callId?: string): StreamEvent => ({
      type: 'approval',
      approvalId: 'p',
      state: 'requested',
      message: 'ok?',
      ...(callId && { callId }),
    })
    expect(segmentOf('tool', tool, ask('c'))).toMatchObject({
      state: 'approval',
      approval: { approvalId: 'p', state: 'requested', message: 'ok?' },
    })
    expect(
      segmentOf('tool', tool, ask('c'), { type: 'approval', approvalId: 'p', callId: 'c', state: 'denied' }),
    ).toMatchObject({ state: 'denied', approval: { state: 'denied', message: 'ok?' } })
    expect(
      segmentOf('approval', ask(), { type: 'approval', approvalId: 'p', state: 'answered', answer: 1 }),
    ).toMatchObject({ state: 'answered', message: 'ok?', answer: 1, endedAt: 4000 })
  })

  it('keeps what was approved in place of the input, beside the input that was asked', () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
    const input: StreamEvent = { type: 'tool-input', callId: 'c', input: { path: 'a' } }
    const more = { remember: 'session', input: { path: 'b' } } as const
    expect(segmentOf('tool', tool, input, ask, { ...ask, state: 'approved', ...more })).toMatchObject({
      state: 'running',
      input: { path: 'a' },
      approval: { approvalId: 'p', state: 'approved', ...more },
    })
    const alone: StreamEvent = { type: 'approval', approvalId: 'q', state: 'requested' }
    expect(segmentOf('approval', alone, { ...alone, state: 'approved', ...more })).toMatchObject(more)
  })

  it('shows a call that went on without an answer as running', () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
    expect(segmentOf('tool', tool, ask, { ...ask, state: 'expired' })).toMatchObject({ state: 'cancelled' })
    expect(segmentOf('tool', tool, ask, { ...ask, state: 'expired', reason: 'went-on' })).toMatchObject({
      state: 'running',
      approval: { state: 'expired', reason: 'went-on' },
    })
  })

  it('S0-61: groups consecutive statuses into one segment, which ends at the next other segment', () => {
    const segments = segmentsOf(status('a'), status('b'), status('c'), tool, status('d'))
    expect(segments.map((segment) => segment.type)).toEqual(['status', 'tool', 'status'])
    expect(segments[0]).toMatchObject({
      lines: [{ message: 'a' }, { message: 'b' }, { message: 'c' }],
      startedAt: 3000,
      endedAt: 6000,
    })
    expect(segments[2]?.endedAt).toBeUndefined()
  })

  it('S0-22, S0-23, S0-24: keeps one todo list in place, updates items by id and lets the empty list clear it', () => {
    const item = (id: string, status: 'pending' | 'completed') => ({ id, content: `do ${id}`, status })
    const set: StreamEvent = {
      type: 'todos',
      listId: 'l',
      op: 'set',
      items: [item('1', 'pending'), item('2', 'pending')],
      callId: 'c',
    }
    const done: StreamEvent = {
      type: 'todos',
      listId: 'l',
      op: 'update',
      items: [{ ...item('2', 'completed'), content: '' }],
    }
    expect(segmentOf('todos', tool, set, status('s'), done).items).toEqual([
      item('1', 'pending'),
      item('2', 'completed'),
    ])
    expect(segmentOf('todos', set, { ...set, items: [] }).items).toEqual([])
    expect(segmentOf('tool', tool, set)).toMatchObject({ shownAs: 'todos' })
    expect(segmentsOf(tool, set, done)).toHaveLength(2)
  })

  it('nests the segments of a subagent in its segment', () => {
    const agent = segmentOf(
      'subagent',
      tool,
      { type: 'subagent-start', agentId: 'g', name: 'Explorer', callId: 'c' },
      { type: 'block-start', blockId: 'b', kind: 'text', agentId: 'g' },
      { type: 'block-delta', blockId: 'b', text: 'hi' },
      { type: 'subagent-start', agentId: 'h', name: 'Inner', parentAgentId: 'g' },
      { type: 'subagent-end', agentId: 'g', status: 'done', summary: 'ok' },
    )
    expect(agent).toMatchObject({
      state: 'done',
      summary: 'ok',
      endedAt: 8000,
      segments: [
        { type: 'text', text: 'hi' },
        { type: 'subagent', name: 'Inner', state: 'live' },
      ],
    })
  })
})
