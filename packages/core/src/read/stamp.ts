import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'

/**
 * Makes entries without a clock, for a conversion that is a pure function of its input: `at` is the event's `sentAt`,
 * otherwise 0, and never decreases.
 */
export function createStamp(): (event: StreamEvent, rawThrough: number) => Entry {
  let seq = 0
  let at = 0
  return (event, rawThrough) => {
    at = Math.max(at, event.sentAt ?? 0)
    return { seq: ++seq, at, event, rawThrough }
  }
}
