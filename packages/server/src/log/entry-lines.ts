import type { Entry, EntryMaker } from '@millrace/core/events'
import type { Append } from './log.ts'

/**
 * Consecutive entries of a run as they are stored: one line of JSON each. A line is encoded once, when it is handed to the
 * log, and sent as it is stored.
 */
export class EntryLines {
  /** The number of the entry before the first. */
  readonly after: number
  readonly lines: readonly string[]
  #entries: readonly Entry[] | undefined

  constructor(after: number, lines: readonly string[]) {
    this.after = after
    this.lines = lines
  }

  /** The entries as objects. They are parsed when somebody looks, once for all who do. */
  entries(): readonly Entry[] {
    this.#entries ??= parseLines(this.lines)
    return this.#entries
  }

  /** The entries behind one of them; itself if that is before the first. */
  behind(after: number): EntryLines {
    return after <= this.after ? this : new EntryLines(after, this.lines.slice(after - this.after))
  }
}

/** One text is parsed faster than many short ones. */
export const parseLines = (lines: readonly string[]): readonly Entry[] => JSON.parse(`[${lines.join(',')}]`) as Entry[]

/** What the log adds to the events of an append. */
export interface Stamp {
  readonly at: number
  /** How many raw records are stored before the append. */
  readonly rawRecords: number
}

/** The lines of an append's events, of which the first follows entry `after`. */
export function linesOf({ inputs, events, through, by }: Append, after: number, { at, rawRecords }: Stamp): string[] {
  const counts = rawCountsOf(inputs)
  const time = `,"at":${at},"event":`
  return events.map((event, index) => {
    const read = Math.min(through?.[index] ?? inputs.length, inputs.length)
    const rawThrough = rawRecords + (counts[read] ?? 0)
    return `{"seq":${after + index + 1}${time}${JSON.stringify(event)},"rawThrough":${rawThrough}${makerText(by?.[index])}}`
  })
}

/** How many of the first inputs are raw records, by their number. */
function rawCountsOf(inputs: Append['inputs']): readonly number[] {
  const counts = [0]
  let count = 0
  for (const { by } of inputs) {
    if (by === 'producer') count++
    counts.push(count)
  }
  return counts
}

const makerText = (maker: EntryMaker | 'producer' | undefined) =>
  maker === undefined || maker === 'producer' ? '' : `,"by":"${maker}"`

/** Lines that were encoded with another stamp than the log then gave them. */
export function restamped(lines: readonly string[], expected: Stamp, { at, rawRecords }: Stamp): string[] {
  const read = rawRecords - expected.rawRecords
  return parseLines(lines).map((entry) => JSON.stringify({ ...entry, at, rawThrough: entry.rawThrough + read }))
}
