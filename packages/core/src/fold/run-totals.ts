import type { RunSnapshot } from './shapes.ts'

/** What is told of a run as a whole, beside its messages. */
export type RunTotals = Pick<RunSnapshot, 'usage' | 'raw' | 'startedAt' | 'endedAt'>

/** The totals of a run. The same entries give the same totals, whether the run is stored or streamed. */
export function totalsOf({ usage, raw, startedAt, endedAt }: RunSnapshot): RunTotals {
  return {
    ...(usage !== undefined && { usage }),
    ...(raw !== undefined && { raw }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  }
}
