import type { StreamEvent } from './events.ts'

/** An event in the log. `seq` counts from 1 without gaps; `rawThrough` is how many raw records had been read by then. */
export interface Entry {
  readonly seq: number
  readonly at: number
  readonly event: StreamEvent
  readonly rawThrough: number
}
