import type { StreamEvent } from '@millrace/core/events'
import { type Framework, SILENT, unmapped } from '@millrace/core/parse/parser'
import { createReader } from '@millrace/core/read'
import { type RawRecord, TERMINATOR } from '@millrace/core/source/source'

/** All events of a stream that ended cleanly. */
export function eventsOf(framework: Framework, records: readonly RawRecord[]): StreamEvent[] {
  const reader = createReader(framework)
  return [...records.flatMap((record) => reader.push(record)), ...reader.end()]
}

/** The events of each record. */
export function pushedOf(framework: Framework, records: readonly RawRecord[]): readonly StreamEvent[][] {
  const reader = createReader(framework)
  return records.map((record) => reader.push(record))
}

/** What the parser itself gives, before `normalize`, and the records that it does not understand, as the reader keeps them. */
export function parsedOf(framework: Framework, records: readonly RawRecord[]): readonly StreamEvent[] {
  const parser = framework.create()
  const events = records.flatMap((record) => {
    if (record.problem !== undefined || record.value === TERMINATOR) return []
    try {
      const given = parser.push(record.value, record)
      return given.length > 0 || given === SILENT ? given : unmapped(record.value)
    } catch {
      return unmapped(record.value)
    }
  })
  return [...events, ...parser.end()]
}
