import type { StreamEvent } from './events.ts'

/** The maker of an entry that is not the run's producer: the server, or a client that sends what it did itself. */
export type EntryMaker = 'server' | 'client'

/** An event in the log. `seq` counts from 1 without gaps; `rawThrough` is the number of raw records read by then. */
export interface Entry {
  readonly seq: number
  readonly at: number
  readonly event: StreamEvent
  readonly rawThrough: number
  /** Absent if the producer made the entry. */
  readonly by?: EntryMaker
}
