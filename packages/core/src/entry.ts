import type { StreamEvent } from './events.ts'

/** Who made an entry, other than the run's producer: the server, or a client that brought what it did itself. */
export type EntryMaker = 'server' | 'client'

/** An event in the log. `seq` counts from 1 without gaps; `rawThrough` is how many raw records had been read by then. */
export interface Entry {
  readonly seq: number
  readonly at: number
  readonly event: StreamEvent
  readonly rawThrough: number
  /** Absent for what the producer made. */
  readonly by?: EntryMaker
}
