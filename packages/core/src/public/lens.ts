/** What a drawn piece was made of, and what each wire sends of it: pure views over entries and records. */
export { type Match, matchesOf, type TextRange } from '../fold/lens/matches.ts'
export { createPieceEntries, type PieceEntries } from '../fold/lens/piece-entries.ts'
export { sharedStart } from '../fold/lens/shared-starts.ts'
export {
  recordOfEntry,
  recordsOfEntries,
  type TraceRow,
  type TraceSums,
  traceOf,
  traceSums,
} from '../fold/lens/trace.ts'
export { createFeatureCounter, type FeatureCounter } from '../meaning/feature-counter.ts'
export { type SentRecord, type WrittenRecords, writeRecords } from '../source/write-records.ts'
export { chunksOf, type SentChunk } from '../wire/emissions.ts'
