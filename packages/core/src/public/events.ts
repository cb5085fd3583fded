/** The vocabulary: what every stream becomes, and the entries of the log that hold it. */
export type * from '../content-events.ts'
export { progressFields } from '../data/tool-progress.ts'
export type { Entry, EntryMaker } from '../entry.ts'
export type * from '../event-fields.ts'
export { isStreamEvent } from '../event-shape.ts'
export type * from '../events.ts'
