import type { RunInfo } from '@millrace/core/client'
import type { UsageCounts } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { preciseCost, usageRows } from './usage-rows.ts'

const run = (usage?: UsageCounts): RunInfo => ({
  id: 'r',
  threadId: 't',
  state: 'ended',
  seq: 1,
  ...(usage && { usage }),
})
const answer = (usage: UsageCounts | undefined, model?: string, calls = 0): ChatEvent => ({
  id: 'm',
  runId: 'r',
  role: 'assistant',
  state: 'done',
  segments: [],
  startedAt: 0,
  seqs: [1, 1],
  ...(usage && { usage }),
  ...(model && { model }),
  ...(calls > 0 && {
    steps: Array.from({ length: calls }, () => ({ kind: 'model' as const, seqs: [1, 1] as const, usage: {} })),
  }),
})

describe('usageRows', () => {
  it('adds up the calls of each model, and says what no call accounts for', () => {
    const { rows, total, calls } = usageRows(
      [run({ inputTokens: 30, outputTokens: 9, costUsd: 0.35 })],
      [
        answer({ inputTokens: 4, outputTokens: 2 }, 'small'),
        answer({ inputTokens: 10, outputTokens: 3, cacheReadTokens: 7 }, 'large', 2),
        answer({ inputTokens: 6, outputTokens: 4 }, 'large'),
        answer(undefined, 'large'),
      ],
    )
    expect(rows).toEqual([
      { name: 'large', usage: { inputTokens: 16, outputTokens: 7, cacheReadTokens: 7 } },
      { name: 'small', usage: { inputTokens: 4, outputTokens: 2 } },
      { name: 'Besides these calls', usage: { inputTokens: 10, costUsd: 0.35 } },
    ])
    expect([total, calls]).toEqual([{ inputTokens: 30, outputTokens: 9, costUsd: 0.35 }, 4])
  })

  it('has one row for a total without calls, and none for the rounding of a cost', () => {
    expect(usageRows([run({ inputTokens: 5 })], []).rows).toEqual([
      { name: 'Reported as a whole', usage: { inputTokens: 5 } },
    ])
    const { rows } = usageRows([run({ costUsd: 0.1 + 0.2 })], [answer({ costUsd: 0.3 })])
    expect(rows.map(({ name }) => name)).toEqual(['Model not reported'])
    expect(preciseCost(0.2456)).toBe('$0.246')
  })
})
