import { describe, expect, it } from 'vitest'
import { entries } from '../../test/entries.ts'
import type { StreamEvent } from '../events.ts'
import { createFold, fold, totalsOf } from './fold.ts'

const used = (scope: 'step' | 'run', inputTokens: number, costUsd?: number): StreamEvent => ({
  type: 'usage',
  scope,
  mode: 'snapshot',
  inputTokens,
  ...(costUsd !== undefined && { costUsd }),
})
const step: StreamEvent = { type: 'step-start', kind: 'model' }
const raw: StreamEvent = { type: 'raw', value: {}, reason: 'unmapped' }
const end: StreamEvent = { type: 'run-end', outcome: 'success' }
const totals = (...events: readonly StreamEvent[]) => totalsOf(fold(entries(...events)))

describe('the totals of a run', () => {
  it('are the sum of its steps, until the run reports its own usage', () => {
    expect(totals(step, used('step', 10, 0.5), step, used('step', 30)).usage).toEqual({ inputTokens: 40, costUsd: 0.5 })
    expect(totals(step, used('step', 10, 0.5), step, used('step', 30), used('run', 35)).usage).toEqual({
      inputTokens: 35,
      costUsd: 0.5,
    })
    expect(totals()).not.toHaveProperty('usage')
  })

  it('count the entries that were not understood, and list the first twenty with their records', () => {
    expect(totals(step)).not.toHaveProperty('raw')
    const read = entries(raw, step, raw).map((entry) => ({ ...entry, rawThrough: entry.seq * 2 }))
    expect(fold(read).raw).toEqual({ count: 2, seqs: [3, 5], records: [5, 9] })
    const many = totals(...Array.from({ length: 1000 }, () => raw)).raw
    const named = Array.from({ length: 20 }, (_, index) => index + 3)
    expect(many).toEqual({ count: 1000, seqs: named, records: named.map(() => 0) })
  })

  it('do not change an earlier snapshot', () => {
    const live = createFold()
    const all = entries(raw, raw)
    live.push(all.slice(0, 3))
    const before = live.snapshot()
    live.push(all)
    expect([before.raw, live.snapshot().raw]).toEqual([
      { count: 1, seqs: [3], records: [0] },
      { count: 2, seqs: [3, 4], records: [0, 0] },
    ])
  })

  it('are on the clock of the run, from its first entry to the latest, and have an end once the run has ended', () => {
    expect(totalsOf(fold([]))).toEqual({})
    expect(totals(step)).toEqual({ startedAt: 1000 })
    expect(totals(step, end)).toEqual({ startedAt: 1000, endedAt: 4000 })
    const early = { ...step, sentAt: 500 }
    expect(totals(early, { ...step, sentAt: 900 }, { ...step, sentAt: 700 }, end)).toEqual({
      startedAt: 500,
      endedAt: 1700,
    })
    const message: StreamEvent = { type: 'message-end', messageId: 'm', sentAt: 9000 }
    expect(totals(early, message, { ...step, sentAt: 700 }, end).endedAt).toBe(9000)
    expect(totals({ ...end, sentAt: 10 })).toEqual({ startedAt: 10, endedAt: 10 })
  })
})
