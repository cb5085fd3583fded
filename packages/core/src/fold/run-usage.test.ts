import { describe, expect, it } from 'vitest'
import { recordsOf, through } from '../../test/parse.ts'
import type { UsageCounts } from '../event-fields.ts'
import { chatEvents as parser } from '../parse/chat-events.ts'
import { createReader } from '../read/read.ts'
import { createFold } from './fold.ts'
import { withRunUsage } from './run-usage.ts'
import type { ChatEvent } from './shapes.ts'

const message = (runId: string, id: string, usage?: UsageCounts): ChatEvent => ({
  id: `${runId}/${id}`,
  runId,
  role: 'assistant',
  state: 'done',
  segments: [],
  startedAt: 1,
  seqs: [1, 2],
  ...(usage !== undefined && { usage }),
})

/** The usage of the run that an export becomes. */
function readBack(...values: readonly unknown[]): UsageCounts | undefined {
  const folded = createFold()
  const events = through(createReader(parser), recordsOf(values))
  folded.push(events.map((event, index) => ({ seq: index + 1, at: 0, event, rawThrough: 0 })))
  return folded.snapshot().usage
}

describe('the totals of a run in an export', () => {
  const steps = [message('r', 'a', { inputTokens: 10 }), message('r', 'b', { inputTokens: 20, costUsd: 0.1 })]
  const report = { inputTokens: 50, durationMs: 45_000, turns: 12 }

  it('stand on its last message, if they are not the sum of its messages', () => {
    expect(withRunUsage(steps, () => report)).toEqual([steps[0], { ...steps[1], runUsage: report }])
    expect(withRunUsage(steps, () => ({ inputTokens: 30, costUsd: 0.1 }))).toEqual(steps)
    expect(withRunUsage(steps, () => undefined)).toEqual(steps)
  })

  it('come back when it is read, also of several runs of which not all report them', () => {
    expect(readBack(...withRunUsage(steps, () => report))).toEqual({ ...report, costUsd: 0.1 })
    const others = [message('q', 'a', { inputTokens: 1 }), message('s', 'a', { inputTokens: 2, turns: 3 })]
    const all = [others[0], ...steps, others[1]] as const
    const exported = withRunUsage(all as readonly ChatEvent[], (id) => (id === 'r' ? report : undefined))
    expect(readBack(...exported)).toMatchObject({ inputTokens: 53, durationMs: 45_000, turns: 15 })
  })

  it('come back of a run and of a thread as a server answers them', () => {
    expect(readBack({ chatEvents: steps, usage: report })).toMatchObject(report)
    expect(readBack({ chatEvents: steps, runs: [{ id: 'r', usage: report }] })).toMatchObject(report)
    expect(readBack({ chatEvents: steps, runs: [{ id: 'r' }] })).toEqual({ inputTokens: 30, costUsd: 0.1 })
  })
})
