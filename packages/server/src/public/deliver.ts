/** Where a stream is written to. */
export type { Sink } from '../deliver/sink.ts'
