import { isWellShaped } from './event-shape.ts'
import type { StreamEvent } from './events.ts'
import { createNormalizer } from './normalize/index.ts'
import { type Framework, type Parser, SILENT } from './parse/parser.ts'
import { type RawRecord, TERMINATOR } from './source/source.ts'

/** Raw records in, well-formed events out: parse and normalize as one, total for any input. */
export interface Reader {
  /** The events that this record completes. Never throws. */
  push(record: RawRecord): StreamEvent[]
  /**
   * Adds an event that no record carries: the user's message, an answer, a stop. What comes out is placed where the
   * stream stands. Reading the same records and adding the same events at the same places gives the same events again.
   */
  add(event: StreamEvent): StreamEvent[]
  /** The events of a clean end; the last of them is `run-end`. A second call gives nothing. */
  end(): StreamEvent[]
  /** Ends a stream that did not end cleanly: what is open is closed, and this is the run's end. */
  close(end: Extract<StreamEvent, { type: 'run-end' }>): StreamEvent[]
}

export function createReader(framework: Framework): Reader {
  const parser = framework.create()
  let events: StreamEvent[] = []
  let ended = false
  const normalizer = createNormalizer((event) => {
    events.push(event)
  })

  function take(): StreamEvent[] {
    const taken = events
    events = []
    return taken
  }

  function finish(last: readonly StreamEvent[]): StreamEvent[] {
    if (ended) return []
    ended = true
    for (const event of last) normalizer.push(event)
    normalizer.end()
    return take()
  }

  return {
    push(record) {
      if (ended) return []
      for (const event of parsed(parser, record)) normalizer.push(event)
      return take()
    },
    add(event) {
      if (ended) return []
      normalizer.push(event)
      return take()
    },
    end: () => finish(lastOf(() => parser.end())),
    close: (end) => finish([...lastOf(() => parser.release?.() ?? []), end]),
  }
}

/** A parser's events, or the record itself as `raw` if the parser did not understand it: no record vanishes. */
function parsed(parser: Parser, record: RawRecord): readonly StreamEvent[] {
  if (record.problem !== undefined) return [{ type: 'raw', value: record.text, reason: 'unparsable' }]
  if (record.value === TERMINATOR) return []
  try {
    const events = parser.push(record.value, record)
    if (events === SILENT || (events.length > 0 && areWellShaped(events))) return events
  } catch {
    // A value of the wrong shape: kept below, as the reader promises.
  }
  return [{ type: 'raw', value: record.value as never, reason: 'unmapped' }]
}

/** What a parser makes of an end. One that does not know leaves a clean end interrupted. */
function lastOf(read: () => readonly StreamEvent[]): readonly StreamEvent[] {
  try {
    const events = read()
    return areWellShaped(events) ? events : []
  } catch {
    return []
  }
}

function areWellShaped(events: readonly StreamEvent[]): boolean {
  for (const event of events) if (!isWellShaped(event)) return false
  return true
}
