import type { Parser } from '@millrace/core/parse/parser'
import { accountOf, tallyOf } from '@millrace/testkit/accounts'
import type { Recording } from '@millrace/testkit/recordings'

/** The fates of the records of one format, as a row of the report. */
export interface AccountRow {
  readonly format: string
  readonly records: number
  readonly events: number
  readonly raw: number
  readonly silent: number
  readonly terminators: number
  readonly unaccounted: number
}

export function accountRow(format: string, parser: Parser, recordings: readonly Recording[]): AccountRow {
  const fates = recordings.flatMap(({ records }) => accountOf(parser, records).fates)
  const { terminator: terminators, ...tally } = tallyOf(fates)
  return { format, records: fates.length, terminators, ...tally }
}

/** The lines of the table: the number of records, and what they became. */
export function accountTable(rows: readonly AccountRow[]): readonly string[] {
  const total = rows.reduce(
    (sum, row) => ({
      format: 'all',
      records: sum.records + row.records,
      events: sum.events + row.events,
      raw: sum.raw + row.raw,
      silent: sum.silent + row.silent,
      terminators: sum.terminators + row.terminators,
      unaccounted: sum.unaccounted + row.unaccounted,
    }),
    { format: 'all', records: 0, events: 0, raw: 0, silent: 0, terminators: 0, unaccounted: 0 },
  )
  return [
    '| format | records | give events | kept as raw | silent | share | terminators | unaccounted |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...[...rows, total].map(lineOf),
  ]
}

function lineOf({ format, records, events, raw, silent, terminators, unaccounted }: AccountRow): string {
  const share = `${((100 * silent) / Math.max(1, records)).toFixed(1)} %`
  const counts = [records, events, raw, silent].map((number) => number.toLocaleString('en-US'))
  return `| ${[format, ...counts, share, terminators, unaccounted].join(' | ')} |`
}
