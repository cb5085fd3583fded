import type { ChatEvent, Segment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { locateEntry } from './entry-location.ts'

const text = (first: number, last: number): Segment => ({
  type: 'text',
  id: `b${first}`,
  text: '',
  state: 'done',
  startedAt: 0,
  seqs: [first, last],
})

const message = (runId: string, segments: readonly Segment[], state: ChatEvent['state'] = 'done'): ChatEvent => ({
  id: `${runId}/${segments[0]?.seqs[0]}`,
  runId,
  role: 'assistant',
  state,
  startedAt: 0,
  seqs: [segments[0]?.seqs[0] ?? 0, segments.at(-1)?.seqs[1] ?? 0],
  segments,
})

const first = message('one', [text(2, 4), text(5, 9)])
const second = message('two', [text(3, 6), text(8, 12)])

describe('locateEntry', () => {
  it('finds the segment that holds an entry of the last run', () => {
    expect(locateEntry([first, second], { seq: 8 })).toEqual({ event: 1, seqs: [8, 12] })
    expect(locateEntry([first, second], { seq: 4 })).toEqual({ event: 1, seqs: [3, 6] })
  })

  it('finds an entry of the named run', () => {
    expect(locateEntry([first, second], { runId: 'one', seq: 8 })).toEqual({ event: 0, seqs: [5, 9] })
  })

  it('locates an entry that draws nothing at what was drawn before it', () => {
    expect(locateEntry([second], { seq: 7 })?.seqs).toEqual([3, 6])
    expect(locateEntry([second], { seq: 99 })?.seqs).toEqual([8, 12])
    expect(locateEntry([second], { seq: 1 })).toEqual({ event: 0, seqs: undefined })
  })

  it('returns undefined for an entry that a live run has not reached', () => {
    expect(locateEntry([message('two', [text(3, 6)], 'live')], { seq: 7 })).toBeUndefined()
    expect(locateEntry([], { seq: 1 })).toBeUndefined()
    expect(locateEntry([second], { runId: 'other', seq: 1 })).toBeUndefined()
  })
})
