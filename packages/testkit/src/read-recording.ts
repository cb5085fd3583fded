import type { StreamEvent } from '@millrace/core/events'
import { type Parser, SILENT, unmapped } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { type RawRecord, TERMINATOR } from '@millrace/core/source'

/** All events of a stream that ends normally. */
export function eventsOf(parser: Parser, records: readonly RawRecord[]): StreamEvent[] {
  const reader = createReader(parser)
  return [...records.flatMap((record) => reader.push(record)), ...reader.end()]
}

/** The events of each record. */
export function pushedOf(parser: Parser, records: readonly RawRecord[]): readonly StreamEvent[][] {
  const reader = createReader(parser)
  return records.map((record) => reader.push(record))
}

/** The events of the parser itself, before `normalize`; a record that it does not understand as the reader keeps it. */
export function parsedOf(parser: Parser, records: readonly RawRecord[]): readonly StreamEvent[] {
  const parserState = parser.create()
  const events = records.flatMap((record) => {
    if (record.problem !== undefined || record.value === TERMINATOR) return []
    try {
      const returned = parserState.push(record.value, record)
      return returned.length > 0 || returned === SILENT ? returned : unmapped(record.value)
    } catch {
      return unmapped(record.value)
    }
  })
  return [...events, ...parserState.end()]
}
