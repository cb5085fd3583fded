import type { Entry } from '@millrace/core/events'
import { createSpans, type SpanFold, type Spans } from '@millrace/core/spans'

/** The times of a run after any of its entries. */
export interface TimesAt {
  /** Those after so many entries. The same object for the same number, until another is asked for. */
  at(length: number): Spans
}

/** Reads on from what was asked for last; what was before it is read anew. `entries` is one list that grows. */
export function createTimesAt(runId: string, entries: () => readonly Entry[]): TimesAt {
  let fold: SpanFold = createSpans({ runId })
  let read = 0
  return {
    at(length) {
      if (length < read) {
        fold = createSpans({ runId })
        read = 0
      }
      fold.push(entries().slice(read, length))
      read = Math.max(read, Math.min(length, entries().length))
      return fold.snapshot()
    },
  }
}
