import type { Entry, StreamEvent } from '@millrace/core/events'
import type { TraceRow } from '@millrace/core/lens'
import { describe, expect, it } from 'vitest'
import { delayOf, mainEntry, textOfEntry, traceItems } from './trace-items.ts'

const delta: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'é!' }
const end: StreamEvent = { type: 'block-end', blockId: 'b' }
const entry = (seq: number, event: StreamEvent): Entry => ({ seq, at: 1_000 + seq, event, rawThrough: seq })
const row = (seq: number, event: StreamEvent, isOwn = true): TraceRow => ({
  record: seq - 1,
  entry: entry(seq, event),
  isOwn,
})
const deltas = (from: number, count: number) => Array.from({ length: count }, (_, index) => row(from + index, delta))
const others = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => row(from + index, end, false))

const drawn = (rows: readonly TraceRow[], opened: readonly string[] = [], kept?: number) =>
  traceItems(rows, new Set(opened), kept).map((item) =>
    item.kind === 'row'
      ? item.row.entry?.seq
      : `${item.count}${item.bytes === undefined ? '' : ` of ${item.bytes} bytes`}`,
  )

describe('what the trace leaves out', () => {
  it('is most of the deltas that follow each other, with their length, until they are opened', () => {
    const rows = [row(1, end), ...deltas(2, 10), row(12, end)]
    expect(drawn(rows)).toEqual([1, 2, 3, 4, 5, '6 of 18 bytes', 12])
    expect(drawn(rows, ['fold entry 6'])).toHaveLength(12)
    expect(drawn(deltas(1, 6))).toHaveLength(6)
  })

  it('is never the pair that is open', () => {
    expect(drawn(deltas(1, 10), [], 9)).toHaveLength(10)
    expect(drawn(deltas(1, 10), [], 2)).toEqual([1, 2, 3, 4, '6 of 18 bytes'])
  })

  it('is most rows of other pieces between those of the piece, and none beside it', () => {
    expect(drawn([row(1, end), ...others(2, 9), row(11, end)])).toEqual([1, 2, 3, '5', 9, 10, 11])
    expect(drawn([...others(1, 9), row(10, end), ...others(11, 9)])).toHaveLength(19)
  })
})

describe('an entry', () => {
  it('has its type apart, and of a delta only the text until it is open', () => {
    expect([textOfEntry(entry(1, delta), false), textOfEntry(entry(1, delta), true)]).toEqual([
      '"é!"',
      '{"blockId":"b","text":"é!"}',
    ])
  })

  it('that says most is the last that is not only a beginning or an end', () => {
    const entries = [entry(1, { type: 'block-start', blockId: 'b', kind: 'text' }), entry(2, delta), entry(3, end)]
    expect([mainEntry(entries, [1, 2, 3]), mainEntry(entries, [1, 3]), mainEntry(entries, [])]).toEqual([
      2,
      3,
      undefined,
    ])
  })

  it('came so long after the first one: by the clock of the stream, or by that of the log', () => {
    const sent = (seq: number, sentAt: number) => entry(seq, { ...end, sentAt })
    expect(delayOf(entry(1, end), entry(4, end))).toBe(3)
    expect(delayOf(sent(1, 50), sent(4, 90))).toBe(40)
    expect(delayOf(sent(1, 50), entry(4, end))).toBeUndefined()
  })
})
