import type { EventOf, EventType, StreamEvent } from '../src/events.ts'
import type { Parser } from '../src/parse/parser.ts'
import { sources } from '../src/source/index.ts'
import { type RawRecord, recordOf } from '../src/source/source.ts'

/** Whatever makes events of records: a reader, or a parser alone. */
interface Reading {
  push(record: RawRecord): readonly StreamEvent[]
  end(): readonly StreamEvent[]
}

/** The parser of a framework by itself: nothing settles or balances what it gives. */
export function parserOf({ create }: Parser): Reading {
  const parser = create()
  return { push: (record) => parser.push(record.value, record), end: () => parser.end() }
}

/** The records of a file. */
export function recordsIn(bytes: Uint8Array): readonly RawRecord[] {
  const source = sources.auto()
  return [...source.feed(bytes), ...source.end()]
}

/** A record for each value; `name` is the event that a stream of server-sent events calls them. */
export function recordsOf(values: readonly unknown[], name?: string): readonly RawRecord[] {
  return values.map((value) => recordOf(JSON.stringify(value), name))
}

/** The events of records, as long as the stream goes on. */
export function pushed(reading: Reading, records: readonly RawRecord[]): StreamEvent[] {
  return records.flatMap((record) => reading.push(record))
}

/** The events of records, those of the end included. */
export function through(reading: Reading, records: readonly RawRecord[]): StreamEvent[] {
  return [...pushed(reading, records), ...reading.end()]
}

export function ofType<Type extends EventType>(events: readonly StreamEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

/** How sure a framework is that a value is of its kind; 0 where it says nothing. */
export function certaintyOf({ recognize }: Parser, value: unknown, name?: string): number {
  return recognize(recordOf(JSON.stringify(value), name))?.certainty ?? 0
}
