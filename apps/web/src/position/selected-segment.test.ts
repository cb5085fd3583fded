import type { ChatEvent, Segment, SubagentSegment, ToolSegment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { selectedSegment, selectionOf } from './selected-segment.ts'

const tool = (callId: string, first: number, last: number): ToolSegment => ({
  type: 'tool',
  callId,
  name: 'Read',
  runBy: 'agent',
  state: 'done',
  startedAt: 0,
  seqs: [first, last],
})

const chat = (runId: string, segments: readonly Segment[]): ChatEvent => ({
  id: `${runId}/m`,
  runId,
  role: 'assistant',
  state: 'done',
  startedAt: 0,
  seqs: [1, 99],
  segments,
})

const inner = tool('inner', 12, 14)
const subagent: SubagentSegment = {
  type: 'subagent',
  agentId: 'a',
  name: 'helper',
  state: 'done',
  startedAt: 0,
  seqs: [11, 20],
  segments: [inner],
}
const [first, second] = [tool('first', 2, 9), tool('second', 3, 8)]
const events = [chat('one', [first, second, subagent]), chat('two', [tool('first', 2, 9)])]
const found = (runId: string, seq: number, callId?: string) =>
  selectedSegment(events, { runId, seqs: [seq, seq], ...(callId !== undefined && { callId }) })

describe('the selected segment', () => {
  it('is the one that begins with the entry, of calls that run at the same time', () => {
    expect(found('one', 2)).toBe(first)
    expect(found('one', 3)).toBe(second)
  })

  it('is the smallest that holds an entry with which none begins, also in a subagent', () => {
    expect(found('one', 5)).toBe(second)
    expect(found('one', 9)).toBe(first)
    expect(found('one', 13)).toBe(inner)
    expect(found('one', 18)).toBe(subagent)
  })

  it('is that of the call, in the named run only', () => {
    expect(found('one', 99, 'inner')).toBe(inner)
    expect(found('one', 99)).toBeUndefined()
    expect(found('two', 12, 'inner')).toBeUndefined()
    expect(found('two', 2, 'first')).not.toBe(first)
  })

  it('is found again by its own selection', () => {
    for (const segment of [first, second, inner, subagent])
      expect(selectedSegment(events, selectionOf('one', segment))).toBe(segment)
  })
})
