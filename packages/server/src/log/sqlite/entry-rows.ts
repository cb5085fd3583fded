import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { EntryMaker, StreamEvent } from '@millrace/core/events'

/** How entries are stored in rows: one row per append, or fewer once they are packed. */

/** No row holds more entries, or more characters unless one line alone does, so that a page of rows stays small. */
export const MOST_ENTRIES = 1_000
export const MOST_CHARACTERS = 128_000

export interface EntryColumns {
  readonly first_seq: number
  readonly last_seq: number
  /** Empty, except in a row of an earlier release. */
  readonly stamps: string
  /** The lines of its entries, joined by line feeds, as text or as deflated bytes. */
  readonly lines: string | Uint8Array
}

/** Lines of one append that go into one row. */
export interface Slice {
  readonly count: number
  readonly lines: string
}

export function slicesOf(lines: readonly string[]): Slice[] {
  const slices: Slice[] = []
  let from = 0
  let characters = 0
  const flush = (to: number) => {
    if (to > from) slices.push({ count: to - from, lines: joined(lines.slice(from, to)) })
    from = to
    characters = 0
  }
  for (const [at, { length }] of lines.entries()) {
    if (at - from >= MOST_ENTRIES || characters + length + 1 > MOST_CHARACTERS) flush(at)
    characters += length + 1
  }
  flush(lines.length)
  return slices
}

/** A single text may be large and is not copied. */
export const joined = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] as string) : texts.join('\n')

export const textOf = (row: EntryColumns): string => {
  const text = typeof row.lines === 'string' ? row.lines : inflateRawSync(row.lines).toString('utf8')
  return row.stamps === '' ? text : linesOfEarlierRow(row.first_seq, row.stamps, text)
}

/** The entries of consecutive rows behind an entry; undefined if there are none. The first row may begin before it. */
export function textPageOf(rows: readonly EntryColumns[], after: number): string | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const text = joined(rows.map(textOf))
  let start = 0
  for (let seq = first.first_seq; seq <= after && start <= text.length; seq++) {
    const end = text.indexOf('\n', start)
    start = end === -1 ? text.length + 1 : end + 1
  }
  return start > text.length ? undefined : text.slice(start)
}

export const linesIn = (page: string | undefined): readonly string[] => page?.split('\n') ?? []

/** `count` consecutive entries have this time, this number of raw records and this maker; default: the producer. */
type Stamp = readonly [at: number, rawThrough: number, count: number, maker?: EntryMaker]

/** Rows of earlier releases hold an array of events, and their stamps beside it. */
function linesOfEarlierRow(firstSeq: number, stamps: string, text: string): string {
  const events = JSON.parse(text) as StreamEvent[]
  const lines: string[] = []
  for (const [at, rawThrough, count, by] of JSON.parse(stamps) as Stamp[]) {
    for (let nth = 0; nth < count; nth++) {
      const event = events[lines.length]
      lines.push(JSON.stringify({ seq: firstSeq + lines.length, at, event, rawThrough, by }))
    }
  }
  return lines.join('\n')
}

/** Joins consecutive rows into one and deflates it: the entries of a run repeat the same words. */
export function packedRow(rows: readonly EntryColumns[]): EntryColumns | undefined {
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return undefined
  const lines = deflateRawSync(joined(rows.map(textOf)))
  return { first_seq: first.first_seq, last_seq: last.last_seq, stamps: '', lines }
}
