import type { ErrorCode } from '@millrace/core/errors'
import type { Framing } from '@millrace/core/source'
import { limitCases } from './source-limit-cases.ts'

/** A record that a source must give. Fields that are not expected are undefined. */
export interface ExpectedRecord {
  readonly value?: unknown
  readonly name?: string
  readonly problem?: ErrorCode
  /** The text of a record that has no value. */
  readonly text?: string
}

/** Bytes in slices, and the records that they are. */
export interface SourceCase {
  readonly name: string
  readonly framing: Framing
  /** UTF-8. The records MUST NOT depend on the cuts, except those of frames, which a transport cuts. */
  readonly slices: readonly string[]
  readonly records: readonly ExpectedRecord[]
  readonly maxRecord?: number
  /** Why `auto` does not read the same records, if it does not. */
  readonly undetected?: string
}

const values = (...all: readonly unknown[]): readonly ExpectedRecord[] => all.map((value) => ({ value }))
const notJson = (text: string): ExpectedRecord => ({ problem: 'record-not-json', text })

const NO_SIGN = 'nothing in the first bytes is a sign of this framing'
const LONG_LINE = 'noise '.repeat(12_000)

/** For the test of the sources, and for the count of the arms that no bytes need. */
export const sourceCases: readonly SourceCase[] = [
  {
    name: 'lines that end in LF, CRLF and CR',
    framing: 'json-lines',
    slices: ['{"a":1}\n{"b":2}\r\n{"c":3}\r{"d":"é€😀"}'],
    records: values({ a: 1 }, { b: 2 }, { c: 3 }, { d: 'é€😀' }),
  },
  {
    name: 'lines that end in CR alone, in CR twice and in CRLF cut in two, twice',
    framing: 'json-lines',
    slices: ['1\r', '\n2\r\r3\r', '\n\r', '\n', '4', '\r\n5\r'],
    records: values(1, 2, 3, 4, 5),
  },
  {
    name: 'a CR that ends a slice, and an LF that begins a later one',
    framing: 'json-lines',
    slices: ['{"a":1}\r', '{"b":2}', '\n{"c":3}\r', '{"d":', '4}', '\n{"e":5}'],
    records: values({ a: 1 }, { b: 2 }, { c: 3 }, { d: 4 }, { e: 5 }),
  },
  {
    name: 'an array in one line, and blank lines after it',
    framing: 'json-array',
    slices: ['[{"a":1},{"b":2}]\n', '\n', ' \r\n\n'],
    records: values({ a: 1 }, { b: 2 }),
  },
  {
    name: 'a BOM and blank lines',
    framing: 'json-lines',
    slices: ['\ufeff{"a":1}\n\n \n{"b":2}\n'],
    records: values({ a: 1 }, { b: 2 }),
  },
  {
    name: 'U+2028 and U+2029 inside strings',
    framing: 'json-lines',
    slices: ['{"a":"x\u2028y\u2029z"}\n{"b":1}\n'],
    records: values({ a: 'x\u2028y\u2029z' }, { b: 1 }),
  },
  {
    name: 'log lines between records, and a line that is cut',
    framing: 'json-lines',
    slices: ['{"a":1}\nStarting…\n{"b":\n{x}\n{"c":3}\n'],
    records: [{ value: { a: 1 } }, notJson('Starting…'), notJson('{"b":'), notJson('{x}'), { value: { c: 3 } }],
  },
  {
    name: 'log lines before the first record',
    framing: 'json-lines',
    slices: ['Starting…\nReady\n{"a":1}\n'],
    records: [notJson('Starting…'), notJson('Ready'), { value: { a: 1 } }],
  },
  {
    name: 'a log line in brackets',
    framing: 'json-lines',
    slices: ['[INFO] starting\n{"a":1}\n'],
    records: [notJson('[INFO] starting'), { value: { a: 1 } }],
  },
  {
    name: 'log lines alone',
    framing: 'json-lines',
    slices: ['Starting…\n', 'Done'],
    records: [notJson('Starting…'), notJson('Done')],
  },
  { name: 'lines of strings', framing: 'json-lines', slices: ['"a"\n"b"\n'], records: values('a', 'b') },
  {
    name: 'lines of arrays',
    framing: 'json-lines',
    slices: ['["messages",{"a":1}]\n\n["messages",{"b":2}]\n'],
    records: values(['messages', { a: 1 }], ['messages', { b: 2 }]),
  },
  {
    name: 'lines of arrays after a blank line, and other lines between them',
    framing: 'json-lines',
    slices: ['\n[1]\n{"a":1}\n[2]\n'],
    records: values([1], { a: 1 }, [2]),
  },
  {
    name: 'one array that is no list of objects',
    framing: 'json-lines',
    slices: ['["messages",{"a":1}]'],
    records: values(['messages', { a: 1 }]),
  },
  {
    name: 'a log line that is longer than the bytes that are inspected',
    framing: 'json-lines',
    slices: [LONG_LINE, '\n{"a":1}\n'],
    records: [notJson(LONG_LINE), { value: { a: 1 } }],
  },
  { name: 'a single brace', framing: 'json-lines', slices: [' {'], records: [notJson(' {')] },
  { name: 'nothing', framing: 'json-lines', slices: ['', ''], records: [] },
  {
    name: 'server-sent events with names, comments, ids and CRLF',
    framing: 'sse',
    slices: [
      ': hi\r\nid: 7\r\nevent: delta\r\ndata: {"a":1}\r\n\r\ndata:{"b":"😀"}\r\n\r\nretry: 10\r\n\r\ndata: [DONE]\r\n\r\n',
    ],
    records: [{ value: { a: 1 }, name: 'delta' }, { value: { b: '😀' } }, { value: '[DONE]' }],
  },
  {
    name: 'names with and without a space and without a colon, each for its own event',
    framing: 'sse',
    slices: ['event:a\ndata: 1\n\nevent: b\ndata: 2\n\nevent\ndata: 3\n\ndata: 4\n\nevent: c\n\ndata: 5\n\n'],
    records: [{ value: 1, name: 'a' }, { value: 2, name: 'b' }, { value: 3, name: '' }, { value: 4 }, { value: 5 }],
  },
  { name: 'events without data', framing: 'sse', slices: ['data\n\ndata:\n\ndata: 1\n\n'], records: values(1) },
  {
    name: 'an event over several data lines',
    framing: 'sse',
    slices: ['data: {"a":\ndata\ndata: 1}\n\n'],
    records: values({ a: 1 }),
  },
  {
    name: 'events without the blank line between them, with their names',
    framing: 'sse',
    slices: ['event: a\ndata: {"a":1}\nevent: b\ndata: {"b":2}\n\n'],
    records: [
      { value: { a: 1 }, name: 'a' },
      { value: { b: 2 }, name: 'b' },
    ],
  },
  {
    name: 'data lines that are not JSON, together or apart',
    framing: 'sse',
    slices: ['data: {"a":1}\ndata: oops\n\ndata: {"b":2}\n\n'],
    records: [notJson('{"a":1}\noops'), { value: { b: 2 } }],
  },
  {
    name: 'a last event without its blank line',
    framing: 'sse',
    slices: ['data: {"a":1}\n\ndata: {"b":2}'],
    records: values({ a: 1 }, { b: 2 }),
  },
  {
    name: 'lines that are no fields',
    framing: 'sse',
    slices: ['data: {"a":1}\n\n{"error":{"code":500}}\nBad gateway\n\ndata: 2\n\n'],
    records: [{ value: { a: 1 } }, { value: { error: { code: 500 } } }, notJson('Bad gateway'), { value: 2 }],
  },
  {
    name: 'an array over many lines',
    framing: 'json-array',
    slices: ['[\n {"a":"]}\\"[{"} ,\r\n [1,[2]], 3, "x,y" , null\n]\n'],
    records: values({ a: ']}"[{' }, [1, [2]], 3, 'x,y', null),
  },
  ...['{"a":1}', '[1]', '["messages",{}]', '"a"'].map(
    (first): SourceCase => ({
      name: `an array over many lines whose first line has ${first}`,
      framing: 'json-array',
      slices: [`[${first},\n{"b":2},\n`, `${first}]\n`],
      records: values(JSON.parse(first), { b: 2 }, JSON.parse(first)),
    }),
  ),
  {
    name: 'an array of objects on one line',
    framing: 'json-array',
    slices: ['[{"a":1},{"b":2}]'],
    records: values({ a: 1 }, { b: 2 }),
  },
  { name: 'an empty array', framing: 'json-array', slices: ['[', ']'], records: [] },
  {
    name: 'values without containers, cut between them',
    framing: 'json-array',
    slices: ['[', '1', ', tr', 'ue,"a\\', '"b"', ',2', ']'],
    records: values(1, true, 'a"b', 2),
    undetected: 'an array of no objects is read as one line',
  },
  {
    name: 'a document over many lines',
    framing: 'json-array',
    slices: ['{\n  "a": {\r\n "b": "}\\n{" },\n  "c": [1,\n2]\n}\n'],
    records: values({ a: { b: '}\n{' }, c: [1, 2] }),
  },
  {
    name: 'documents one after the other',
    framing: 'json-array',
    slices: ['{\n"a": 1\n}\n{\n"b": 2\n}\n'],
    records: values({ a: 1 }, { b: 2 }),
  },
  {
    name: 'an array that was cut',
    framing: 'json-array',
    slices: ['[{"a":1},{"b":2}'],
    records: values({ a: 1 }, { b: 2 }),
  },
  {
    name: 'an array that was cut in an element, and in a value',
    framing: 'json-array',
    slices: ['[\n{"a":1},\n{"b":"]'],
    records: [{ value: { a: 1 } }, notJson('{"b":"]')],
  },
  {
    name: 'frames',
    framing: 'json-frames',
    slices: ['{"a":\n1}', '', '2', 'oops'],
    records: [...values({ a: 1 }, 2), notJson('oops')],
    undetected: NO_SIGN,
  },
  ...limitCases,
]
