import type { StreamEvent } from '@millrace/core/events'
import type { Framework } from '@millrace/core/parse/parser'
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

/** What the parser itself gives, before `normalize`. A record that it does not understand gives nothing here. */
export function parsedOf(framework: Framework, records: readonly RawRecord[]): readonly StreamEvent[] {
  const parser = framework.create()
  const events = records.flatMap((record) => {
    if (record.problem !== undefined || record.value === TERMINATOR) return []
    try {
      return parser.push(record.value, record)
    } catch {
      return []
    }
  })
  return [...events, ...parser.end()]
}
