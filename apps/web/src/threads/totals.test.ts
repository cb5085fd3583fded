import type { RunInfo } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import { totalsOf } from './totals.ts'

const run = (change: Partial<RunInfo>): RunInfo => ({ id: 'r', threadId: 't', state: 'ended', seq: 1, ...change })

describe('totalsOf', () => {
  it('adds what the runs report, each by its own clock', () => {
    const recorded = run({ startedAt: 1_000, endedAt: 10_000, usage: { inputTokens: 10_000, costUsd: 0.42 } })
    const later = run({ startedAt: 900_000, endedAt: 905_000, usage: { inputTokens: 5, outputTokens: 7 } })
    expect(totalsOf([recorded, later])).toEqual({
      inputTokens: 10_005,
      outputTokens: 7,
      costUsd: 0.42,
      durationMs: 14_000,
    })
  })

  it('omits what no run reports, and the duration of a recording without a clock', () => {
    expect(totalsOf([run({})])).toEqual({})
    expect(totalsOf([run({ startedAt: 1_000, endedAt: 1_400 })])).toEqual({})
  })

  it('has the start of a run that is still live', () => {
    expect(totalsOf([run({ state: 'live', startedAt: 7 })])).toEqual({ liveSince: 7 })
  })
})
