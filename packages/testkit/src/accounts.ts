import { isDeepStrictEqual } from 'node:util'
import type { StreamEvent } from '@millrace/core/events'
import { type Parser, type ParserState, SILENT } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { type RawRecord, TERMINATOR } from '@millrace/core/source'

/** What became of a record. A bare terminator gives no events. */
type Fate = 'events' | 'raw' | 'silent' | 'terminator' | 'unaccounted'

/** The fate of each record of a stream, and all events that its parser returned, before normalization. */
export interface Account {
  readonly fates: readonly Fate[]
  readonly returned: readonly StreamEvent[]
}

/** Reads a stream and observes, record by record, what its parser returns and what the reader emits. */
export function accountOf(parser: Parser, records: readonly RawRecord[]): Account {
  const returned: StreamEvent[] = []
  let lastReturned: readonly StreamEvent[] | undefined
  function observe(events: readonly StreamEvent[]): readonly StreamEvent[] {
    lastReturned = events
    returned.push(...events)
    return events
  }
  const reader = createReader({ ...parser, create: () => observed(parser.create(), observe) })
  const fates = records.map((record) => {
    lastReturned = undefined
    const emitted = reader.push(record)
    return fateOf(record, lastReturned, emitted)
  })
  reader.end()
  return { fates, returned }
}

/** The number of records of each fate. */
export function tallyOf(fates: readonly Fate[]): { readonly [F in Fate]: number } {
  const tally = { events: 0, raw: 0, silent: 0, terminator: 0, unaccounted: 0 }
  for (const fate of fates) tally[fate] += 1
  return tally
}

function observed(
  parserState: ParserState,
  observe: (events: readonly StreamEvent[]) => readonly StreamEvent[],
): ParserState {
  return {
    ...parserState,
    push: (value, record) => observe(parserState.push(value, record)),
    end: () => observe(parserState.end()),
  }
}

/** A record whose parser returned no event counts as kept only if the reader emitted all of it as `raw`. */
function fateOf(
  { value, text, problem }: RawRecord,
  returned: readonly StreamEvent[] | undefined,
  emitted: readonly StreamEvent[],
): Fate {
  const kept = problem === undefined ? value : text
  if (emitted.some((event) => event.type === 'raw' && isDeepStrictEqual(event.value, kept))) return 'raw'
  if (problem === undefined && value === TERMINATOR) return emitted.length === 0 ? 'terminator' : 'unaccounted'
  if (returned === SILENT) return emitted.length === 0 ? 'silent' : 'unaccounted'
  if (returned === undefined || returned.length === 0) return 'unaccounted'
  return returned.some(({ type }) => type === 'raw') ? 'raw' : 'events'
}
