import type { RawRecord } from '@millrace/core/source'
import { manglingsOf } from './mangle.ts'
import { sample } from './seeded.ts'

export interface MangledRecord {
  /** The position of the damaged record in the stream. */
  readonly at: number
  readonly what: string
  readonly record: RawRecord
}

/** Damaged variants of single records of a stream, at most `count`, spread over all records; some damaged twice. */
export function mangledRecords(records: readonly RawRecord[], count: number, seed: number): readonly MangledRecord[] {
  const perRecord = Math.max(8, Math.ceil((4 * count) / Math.max(1, records.length)))
  const all = records.flatMap((record, at) =>
    record.problem !== undefined
      ? []
      : manglingsOf(record.value, perRecord, seed + at).map(({ what, apply }) => ({ at, what, record, apply })),
  )
  const more = all.length >= count ? 0 : Math.ceil((count - all.length) / Math.max(1, all.length))
  const twice = all.flatMap(({ at, what, record, apply }, index) =>
    more === 0
      ? []
      : manglingsOf(apply(), more, seed + index).map((again) => ({
          ...again,
          at,
          record,
          what: `${what}; ${again.what}`,
        })),
  )
  return sample([...all, ...twice], count, seed).map(({ at, what, record, apply }) => {
    const value = apply()
    return { at, what, record: { ...record, value, text: JSON.stringify(value) ?? '' } }
  })
}
