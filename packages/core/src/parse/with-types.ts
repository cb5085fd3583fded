import type { StreamEvent } from '../events.ts'
import type { RawRecord } from '../source/source.ts'
import type { Parser } from './parser.ts'

/** Maps a raw value of one type to its events. */
export type MapValue = (value: never, record: RawRecord) => readonly StreamEvent[]

/**
 * Extends a parser by types of records: those in the table are mapped by the table, all others as before. A record that
 * no other event of the vocabulary fits becomes a `data` event, which every wire carries under its name.
 */
export function withTypes(parser: Parser, types: { readonly [type: string]: MapValue }): Parser {
  const mapOf = (value: unknown): MapValue | undefined => {
    const type = (value as { readonly type?: unknown } | null | undefined)?.type
    return typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined
  }
  return {
    ...parser,
    recognize: (record) =>
      parser.recognize(record) ??
      (mapOf(record.value) === undefined ? undefined : { certainty: 0.5, reason: 'a type that was added' }),
    create() {
      const parserState = parser.create()
      return {
        ...parserState,
        push: (value, record) => mapOf(value)?.(value as never, record) ?? parserState.push(value, record),
      }
    },
  }
}
