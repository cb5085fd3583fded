import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import type { StreamEvent } from '../../events.ts'
import { recordsOfEntries, traceOf, traceSums } from './trace.ts'

const status: StreamEvent = { type: 'status', message: 'Reads', level: 'info' }
const raw: StreamEvent = { type: 'raw', value: 'odd', reason: 'unmapped' }

/** Entries that were made after so many records; those of the server are negative. */
const entriesAfter = (...through: number[]): readonly Entry[] =>
  through.map((count, index) => ({
    seq: index + 1,
    at: index,
    event: count === 5 ? raw : status,
    rawThrough: Math.abs(count),
    ...(count < 0 && { by: 'server' as const }),
  }))

/** One entry of no record, two of record 0, none of 1, one of 2, one of the server, one of 3, and one of 4, which is raw. */
const entries = entriesAfter(0, 1, 1, 3, -3, 4, 5)
const drawn = (from: number, to: number) =>
  traceOf(entries, [from, to], new Set([3])).map(
    ({ record, entry, isSame, isOwn }) =>
      `${record ?? '-'} ${entry?.seq ?? '-'}${isSame ? ' same' : ''}${isOwn ? ' own' : ''}`,
  )

describe('records and entries side by side', () => {
  it('show each once: an entry beside the record that completed it', () => {
    expect(drawn(1, 7)).toEqual(['- 1', '0 2', '- 3 same own', '1 -', '2 4', '- 5', '3 6', '4 7'])
  })

  it('show of a part what came in after the entry before it', () => {
    expect(drawn(3, 5)).toEqual(['- 3 same own', '1 -', '2 4', '- 5'])
  })

  it('are counted: what gave events, what did not, what was added, and what was not understood', () => {
    expect(traceSums(entries, [2, 4])).toEqual({ records: 2, between: [0, 2], events: 2, added: 0, quiet: 1, raw: 0 })
    expect(traceSums(entries, [4, 5, 7])).toEqual({
      records: 2,
      between: [2, 4],
      events: 3,
      added: 1,
      quiet: 0,
      raw: 1,
    })
    expect(traceSums(entries, [5])).toEqual({ records: 0, events: 1, added: 1, quiet: 0, raw: 0 })
    expect(recordsOfEntries(entries)).toEqual([0, 2, 3, 4])
  })
})
