import type { ChatEvent, Segment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { lensSubject, pieceBeside, rawBeside, titleOfPiece, turnOf } from './lens-subject.ts'

const text = (first: number, last: number): Segment => ({
  type: 'text',
  id: `b${first}`,
  text: 'Tide',
  state: 'done',
  startedAt: 0,
  seqs: [first, last],
})
const chat = (runId: string, role: ChatEvent['role'], segments: readonly Segment[]): ChatEvent => ({
  id: `${runId}/${role}`,
  runId,
  role,
  state: 'done',
  startedAt: 0,
  seqs: [1, 99],
  segments,
})

const inner = text(12, 14)
const subagent: Segment = {
  type: 'subagent',
  agentId: 'a',
  name: 'pilot',
  state: 'done',
  startedAt: 0,
  seqs: [11, 20],
  segments: [inner],
}
const [question, answer] = [chat('one', 'user', [text(2, 4)]), chat('one', 'assistant', [text(5, 9), subagent])]
const events = [question, answer, chat('two', 'user', [text(2, 3)])]
const at = (seq: number, entry?: number) =>
  lensSubject(events, {
    isFollowing: false,
    selection: { runId: 'one', seqs: [seq, seq], ...(entry !== undefined && { entry }) },
  })

describe('what the lens looks at', () => {
  it('is the selected piece with its message, also inside a subagent, and the entry that is asked for', () => {
    expect(at(5)).toEqual({ runId: 'one', piece: answer.segments[0], chat: answer })
    expect(at(12, 13)).toEqual({ runId: 'one', piece: inner, chat: answer, entry: 13 })
    expect(at(5, 5)).toMatchObject({ piece: answer.segments[0], entry: 5 })
  })

  it('is an entry alone if it is asked for by itself and begins no piece', () => {
    expect(at(7, 7)).toEqual({ runId: 'one', entry: 7 })
    expect(at(7)).toMatchObject({ piece: answer.segments[0] })
  })

  it('is the first piece of a message that is selected as a whole, and the entry if no message has it', () => {
    const apart = [
      { ...question, seqs: [1, 4] as const },
      { ...answer, seqs: [5, 20] as const },
    ]
    const selected = (seq: number) =>
      lensSubject(apart, { isFollowing: false, selection: { runId: 'one', seqs: [seq, seq] } })
    expect(selected(1)).toMatchObject({ piece: question.segments[0], chat: { role: 'user' } })
    expect(selected(30)).toEqual({ runId: 'one', entry: 30 })
  })

  it('is the newest piece while the panes follow, or if nothing is selected', () => {
    const newest = { runId: 'two', piece: events[2]?.segments[0], chat: events[2] }
    expect(lensSubject(events, { isFollowing: false })).toEqual(newest)
    expect(lensSubject(events, { isFollowing: true, selection: { runId: 'one', seqs: [5, 9] } })).toEqual(newest)
    expect(lensSubject([], { isFollowing: true })).toBeUndefined()
  })

  it('has neighbours over all runs, and an entry that was not understood those of its kind', () => {
    const beside = (piece: Segment, step: 1 | -1) => pieceBeside(events, { runId: 'one', piece }, step)
    expect(beside(inner, 1)).toEqual({ runId: 'two', piece: events[2]?.segments[0] })
    expect(beside(inner, -1)?.piece).toBe(subagent)
    expect(beside(question.segments[0] as Segment, -1)).toBeUndefined()
    const entries = ['raw', 'status', 'raw'].map((type, index) => ({ seq: index + 1, event: { type } })) as never
    expect([rawBeside(entries, 1, 1), rawBeside(entries, 3, 1), rawBeside(entries, 3, -1)]).toEqual([3, undefined, 1])
  })

  it('is named by its kind, its turn and what tells it from others', () => {
    expect([turnOf(events, answer), turnOf(events, events[2] as ChatEvent)]).toEqual([1, 2])
    expect([titleOfPiece(inner), titleOfPiece(subagent)]).toEqual([
      { name: 'Text' },
      { name: 'Subagent', argument: 'pilot' },
    ])
  })
})
