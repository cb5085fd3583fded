/** A run at any of its moments: pure views over its entries. */
export type { Mark, MarkKind } from '../fold/spans/span.ts'
export { densityOf, heightsOf } from '../fold/travel/density.ts'
export { createEntryTimes, type EntryTimes, entryAt } from '../fold/travel/entry-times.ts'
export { type Horizon, horizonOf, markBeside } from '../fold/travel/horizon.ts'
export { createReplay, type Replay } from '../fold/travel/replay.ts'
export {
  type ShownSilence,
  type Silence,
  silencesIn,
  type TimeAxis,
  timeAfter,
  timeAxisOf,
} from '../fold/travel/time-axis.ts'
