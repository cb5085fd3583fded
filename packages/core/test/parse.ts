import type { EventOf, EventType, StreamEvent } from '../src/events.ts'
import type { Parser } from '../src/parse/parser.ts'
import { sources } from '../src/source/index.ts'
import { type RawRecord, recordOf } from '../src/source/source.ts'

/** Makes events of records: a reader, or a parser alone. */
interface Reading {
  push(record: RawRecord): readonly StreamEvent[]
  end(): readonly StreamEvent[]
}

/** A parser alone: its events are not settled or balanced. */
export function parserOf({ create }: Parser): Reading {
  const parser = create()
  return { push: (record) => parser.push(record.value, record), end: () => parser.end() }
}

/** The records of a file. */
export function recordsIn(bytes: Uint8Array): readonly RawRecord[] {
  const source = sources.auto()
  return [...source.feed(bytes), ...source.end()]
}

/** A record for each value; `name` is their name as server-sent events. */
export function recordsOf(values: readonly unknown[], name?: string): readonly RawRecord[] {
  return values.map((value) => recordOf(JSON.stringify(value), name))
}

/** The events of records, without those of the end. */
export function pushed(reading: Reading, records: readonly RawRecord[]): StreamEvent[] {
  return records.flatMap((record) => reading.push(record))
}

/** The events of records, including those of the end. */
export function through(reading: Reading, records: readonly RawRecord[]): StreamEvent[] {
  return [...pushed(reading, records), ...reading.end()]
}

export function ofType<Type extends EventType>(events: readonly StreamEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

/** The certainty with which a parser recognises a value; 0 if it does not. */
export function certaintyOf({ recognize }: Parser, value: unknown, name?: string): number {
  return recognize(recordOf(JSON.stringify(value), name))?.certainty ?? 0
}
