import type { Entry } from '../../entry.ts'

/** A record of a run, by its number from 0, and an event that it gave; either may be absent. */
export interface TraceRow {
  /** Absent: nothing came in, or the record is that of the row above. */
  readonly record?: number
  /** Absent: the record gave no event of its own. */
  readonly entry?: Entry
  /** The event is one of several of the record above it. */
  readonly isSame?: true
  /** The row is one of the piece that is looked at. */
  readonly isOwn: boolean
}

/**
 * The records and entries of a run side by side, in the order in which they were read: `entries` are those from the first,
 * of which `from` to `to` are shown. An entry belongs to the record that completed it, which is the last one read by then.
 * An entry that the server or a client added belongs to none.
 */
export function traceOf(
  entries: readonly Entry[],
  [from, to]: readonly [first: number, last: number],
  own: ReadonlySet<number>,
): readonly TraceRow[] {
  const rows: TraceRow[] = []
  let read = entries[from - 2]?.rawThrough ?? 0
  for (const entry of entries.slice(from - 1, to)) {
    const isOwn = own.has(entry.seq)
    const isAdded = entry.by !== undefined
    const quiet = isAdded ? entry.rawThrough : entry.rawThrough - 1
    for (; read < quiet; read++) rows.push({ record: read, isOwn: false })
    if (isAdded || entry.rawThrough === 0) rows.push({ entry, isOwn })
    else if (read < entry.rawThrough) rows.push({ record: read++, entry, isOwn })
    else rows.push({ entry, isOwn, isSame: true })
  }
  return rows
}

/** The number of the record that completed an entry; undefined if none did. */
export function recordOfEntry({ rawThrough, by }: Entry): number | undefined {
  return by !== undefined || rawThrough === 0 ? undefined : rawThrough - 1
}

/** The records that gave entries, each once, in order. */
export function recordsOfEntries(entries: readonly Entry[]): readonly number[] {
  const records: number[] = []
  for (const entry of entries) {
    const record = recordOfEntry(entry)
    if (record !== undefined && record !== records.at(-1)) records.push(record)
  }
  return records
}

/** What became of the records of a piece, and of those between them. */
export interface TraceSums {
  /** Records that gave events of the piece. */
  readonly records: number
  /** The first and the last of them; absent if there are none. */
  readonly between?: readonly [first: number, last: number]
  readonly events: number
  /** Events of the piece that no record gave: the server or a client added them. */
  readonly added: number
  /** Records in between that gave no event of their own: understood without adding anything, or held back for a later event. */
  readonly quiet: number
  /** Records in between that were not understood, which are kept whole. */
  readonly raw: number
}

export function traceSums(entries: readonly Entry[], own: readonly number[]): TraceSums {
  const made = own.flatMap((seq) => entries[seq - 1] ?? [])
  const records = recordsOfEntries(made)
  const [first, last] = [records[0], records.at(-1)]
  const added = made.filter(({ by }) => by !== undefined).length
  const sums = { records: records.length, events: made.length, added }
  const raw = new Set<number>()
  if (first === undefined || last === undefined) return { ...sums, quiet: 0, raw: 0 }
  const given = new Set<number>()
  for (const entry of entries) {
    const record = recordOfEntry(entry) ?? -1
    if (record < first) continue
    if (record > last) break
    given.add(record)
    if (entry.event.type === 'raw') raw.add(record)
  }
  return { ...sums, between: [first, last], quiet: last - first + 1 - given.size, raw: raw.size }
}
