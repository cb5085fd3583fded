import type { ExpectedRecord, SourceCase } from './source-cases.ts'

const values = (...all: readonly unknown[]): readonly ExpectedRecord[] => all.map((value) => ({ value }))
const tooLarge = (text: string): ExpectedRecord => ({ problem: 'record-too-large', text })

const LIMIT = 40
const long = `{"x":"${'y'.repeat(60)}"}`
const longBeginning = long.slice(0, LIMIT)

/** Records that are too large, and the records around them. */
export const limitCases: readonly SourceCase[] = [
  {
    name: 'lines that are too large, twice',
    framing: 'json-lines',
    slices: [`{"a":1}\n${long}\n{"b":2}\n${long}`],
    records: [{ value: { a: 1 } }, tooLarge(longBeginning), { value: { b: 2 } }, tooLarge(longBeginning)],
    maxRecord: LIMIT,
  },
  {
    name: 'a line that is too large as JSON text, because it must be escaped',
    framing: 'json-lines',
    slices: ['\u0001\u0002"\\\t\u0001\u0002\u0003\n1\n'],
    records: [tooLarge('\u0001\u0002"\\\t\u0001\u0002\u0003'), { value: 1 }],
    maxRecord: LIMIT - 5,
  },
  {
    name: 'events and lines that are too large, between others',
    framing: 'sse',
    slices: [`data: 1\n\ndata: ${long}\n\ndata: 2\n\n${long}\n\nevent: e\ndata: ${long}\n\ndata: 3\n\n`],
    records: [
      { value: 1 },
      tooLarge(longBeginning),
      { value: 2 },
      tooLarge(long.slice(0, LIMIT + 'data: '.length)),
      { ...tooLarge(longBeginning), name: 'e' },
      { value: 3 },
    ],
    maxRecord: LIMIT,
  },
  {
    name: 'an event over several lines whose first is too large',
    framing: 'sse',
    slices: [`data: ${long}\ndata: 1\ndata: 2\n\ndata: 3\n\n`],
    records: [tooLarge(longBeginning), { value: 3 }],
    maxRecord: LIMIT,
  },
  {
    name: 'events without blank lines that do not fit together',
    framing: 'sse',
    slices: ['data: {"a":1}\ndata: {"b":2}\ndata: {"c":3}\n\ndata: {"d":\ndata: 4}\n\ndata: 5\n\n'],
    records: [...values({ a: 1 }, { b: 2 }, { c: 3 }), tooLarge('{"d":'), { value: 5 }],
    maxRecord: LIMIT,
  },
  {
    name: 'an event whose name is too large',
    framing: 'sse',
    slices: [`event: ${'n'.repeat(60)}\ndata: 1\n\ndata: 2\n\n`],
    records: [{ ...tooLarge('1'), name: 'n'.repeat(LIMIT - 1) }, { value: 2 }],
    maxRecord: LIMIT,
  },
  {
    name: 'an event whose name is too large once it is escaped',
    framing: 'sse',
    slices: ['event: \u0001\u0001\u0001\u0001\u0001\u0001\u0001\ndata: 1\n\ndata: 2\n\n'],
    records: [{ ...tooLarge('1'), name: '\u0001'.repeat(7) }, { value: 2 }],
    maxRecord: LIMIT,
  },
  {
    name: 'elements that are too large, twice',
    framing: 'json-array',
    slices: [`[{"a":1},${long},{"b":2},${long}]`],
    records: [{ value: { a: 1 } }, tooLarge(longBeginning), { value: { b: 2 } }, tooLarge(longBeginning)],
    maxRecord: LIMIT,
  },
  {
    name: 'frames that are too large, twice',
    framing: 'json-frames',
    slices: [long, '1', long, '2'],
    records: [tooLarge(long), { value: 1 }, tooLarge(long), { value: 2 }],
    maxRecord: LIMIT,
    undetected: 'nothing in the first bytes is a sign of this framing',
  },
]
