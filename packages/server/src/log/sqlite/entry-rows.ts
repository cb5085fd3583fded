import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Entry, EntryMaker, StreamEvent } from '@millrace/core/events'
import { makerField } from '../append-rules.ts'

/** How entries are stored in rows: one row per append, or fewer once they are packed. */

/** No row holds more entries, or more characters unless one event alone does, so that a page of rows stays small. */
export const MOST_ENTRIES = 1_000
export const MOST_CHARACTERS = 128_000

/** `count` consecutive entries have this time, this number of raw records and this maker; default: the producer. */
type Stamp = readonly [at: number, rawThrough: number, count: number, maker?: EntryMaker]

export interface EntryColumns {
  readonly first_seq: number
  readonly last_seq: number
  readonly stamps: string
  /** A JSON array, as text or as deflated bytes. */
  readonly events: string | Uint8Array
}

/** Events of one append that go into one row, as a JSON array. */
export interface Slice {
  readonly count: number
  readonly events: string
}

export function slicesOf(events: readonly StreamEvent[]): Slice[] {
  const slices: Slice[] = []
  let texts: string[] = []
  let characters = 0
  const flush = () => {
    if (texts.length > 0) slices.push({ count: texts.length, events: `[${texts.join(',')}]` })
    texts = []
    characters = 0
  }
  for (const event of events) {
    const text = JSON.stringify(event)
    // A bracket or comma before each event, and a bracket at the end.
    if (texts.length >= MOST_ENTRIES || characters + text.length + 2 > MOST_CHARACTERS) flush()
    texts.push(text)
    characters += text.length + 1
  }
  flush()
  return slices
}

/** `rawThrough` and `makers` have one item per entry. */
export function stampsOf(
  at: number,
  rawThrough: readonly number[],
  makers: readonly (EntryMaker | undefined | null)[] = [],
): string {
  const stamps: [number, number, number, EntryMaker?][] = []
  for (const [index, through] of rawThrough.entries()) {
    const maker = makers[index] ?? undefined
    const last = stamps.at(-1)
    if (last?.[1] === through && last[3] === maker) last[2]++
    else stamps.push(maker === undefined ? [at, through, 1] : [at, through, 1, maker])
  }
  return JSON.stringify(stamps)
}

export const textOf = (events: string | Uint8Array): string =>
  typeof events === 'string' ? events : inflateRawSync(events).toString('utf8')

export function entriesOf(row: EntryColumns): Entry[] {
  const events = JSON.parse(textOf(row.events)) as StreamEvent[]
  const entries: Entry[] = []
  for (const [at, rawThrough, count, maker] of JSON.parse(row.stamps) as Stamp[]) {
    for (let nth = 0; nth < count; nth++) {
      const event = events[entries.length] as StreamEvent
      entries.push({ seq: row.first_seq + entries.length, at, event, rawThrough, ...makerField(maker) })
    }
  }
  return entries
}

/** Joins consecutive rows into one and deflates it: the events of a run repeat the same words. */
export function packedRow(rows: readonly EntryColumns[]): EntryColumns | undefined {
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    first_seq: first.first_seq,
    last_seq: last.last_seq,
    stamps: joined(rows.map((row) => row.stamps)),
    events: deflateRawSync(joined(rows.map((row) => textOf(row.events)))),
  }
}

/** Joins JSON arrays. A single array may be large and is not copied. */
function joined(arrays: readonly string[]): string {
  const [only] = arrays
  if (arrays.length === 1 && only !== undefined) return only
  return `[${arrays.map((array) => array.slice(1, -1)).join(',')}]`
}
