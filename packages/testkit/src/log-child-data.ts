import type { StreamEvent } from '@millrace/core/events'
import type { LoggedInput } from '@millrace/server/log'

/** What the killed process writes: a function of the run and the position alone. */

export const childRuns = ['one', 'two', 'three', 'four'] as const

export const childEvent = (runId: string, seq: number): StreamEvent => ({
  type: 'block-delta',
  blockId: runId,
  text: `${runId} ${seq} `.repeat(1 + (seq % 40)),
})

export const childRecord = (runId: string, nth: number): LoggedInput => ({
  by: 'producer',
  text: `${runId} record ${nth} \u0000 😀`,
  name: undefined,
})
