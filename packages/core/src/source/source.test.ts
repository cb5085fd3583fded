import { describe, expect, it } from 'vitest'
import { type Framing, getSource } from './index.ts'
import type { RawRecord, SourceOptions } from './source.ts'

const encoder = new TextEncoder()

function read(framing: Framing, chunks: readonly (string | Uint8Array)[], options?: SourceOptions): RawRecord[] {
  const source = getSource(framing)(options)
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk))
  return [...bytes.flatMap((chunk) => source.feed(chunk)), ...source.end()]
}

const valuesOf = (records: readonly RawRecord[]) => records.map((record) => record.value)

/** The same text in every two-way cut of its bytes, and byte by byte. */
function everyCut(text: string): Uint8Array[][] {
  const bytes = encoder.encode(text)
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)])
  return [...cuts, [...bytes].map((byte) => Uint8Array.of(byte))]
}

const STREAMS: { readonly [name: string]: { framing: Framing; text: string; values: unknown[] } } = {
  'lines that end in LF, CRLF and CR': {
    framing: 'json-lines',
    text: '{"a":1}\n{"b":2}\r\n{"c":3}\r{"d":"é€😀"}',
    values: [{ a: 1 }, { b: 2 }, { c: 3 }, { d: 'é€😀' }],
  },
  'a BOM and blank lines': {
    framing: 'json-lines',
    text: '\ufeff{"a":1}\n\n \n{"b":2}\n',
    values: [{ a: 1 }, { b: 2 }],
  },
  'U+2028 and U+2029 inside strings': {
    framing: 'json-lines',
    text: '{"a":"x\u2028y\u2029z"}\n{"b":1}\n',
    values: [{ a: 'x\u2028y\u2029z' }, { b: 1 }],
  },
  'server-sent events with names, comments, ids and CRLF': {
    framing: 'sse',
    text: ': hi\r\nid: 7\r\nevent: delta\r\ndata: {"a":1}\r\n\r\ndata:{"b":"😀"}\r\n\r\nretry: 10\r\n\r\ndata: [DONE]\r\n\r\n',
    values: [{ a: 1 }, { b: '😀' }, '[DONE]'],
  },
  'an event over several data lines': { framing: 'sse', text: 'data: {"a":\ndata: 1}\n\n', values: [{ a: 1 }] },
  'events without the blank line between them': {
    framing: 'sse',
    text: 'data: {"a":1}\ndata: {"b":2}\n\n',
    values: [{ a: 1 }, { b: 2 }],
  },
  'a last event without its blank line': {
    framing: 'sse',
    text: 'data: {"a":1}\n\ndata: {"b":2}',
    values: [{ a: 1 }, { b: 2 }],
  },
  'a line that is no field': {
    framing: 'sse',
    text: 'data: {"a":1}\n\n{"error":{"code":500}}\n\n',
    values: [{ a: 1 }, { error: { code: 500 } }],
  },
  'an array over many lines': {
    framing: 'json-array',
    text: '[\n {"a":"]}\\"[{"} ,\r\n [1,[2]], 3, "x,y" , null\n]\n',
    values: [{ a: ']}"[{' }, [1, [2]], 3, 'x,y', null],
  },
  'a document over many lines': {
    framing: 'json-array',
    text: '{\n  "a": {\r\n "b": "}\\n{" },\n  "c": [1,\n2]\n}\n',
    values: [{ a: { b: '}\n{' }, c: [1, 2] }],
  },
  'documents one after the other': {
    framing: 'json-array',
    text: '{\n"a": 1\n}\n{\n"b": 2\n}\n',
    values: [{ a: 1 }, { b: 2 }],
  },
  'an array that was cut': { framing: 'json-array', text: '[{"a":1},{"b":2}', values: [{ a: 1 }, { b: 2 }] },
}

describe('sources', () => {
  for (const [name, { framing, text, values }] of Object.entries(STREAMS)) {
    it(`read ${name}, wherever the bytes are cut`, () => {
      for (const chunks of everyCut(text)) expect(valuesOf(read(framing, chunks))).toEqual(values)
    })

    it(`detect the framing of ${name}, wherever the bytes are cut`, () => {
      for (const chunks of everyCut(text)) expect(valuesOf(read('auto', chunks))).toEqual(values)
    })
  }

  it('keep the name of a server-sent event, and forget it for the next', () => {
    const records = read('sse', ['event: ping\ndata: 1\n\ndata: 2\n\n'])
    expect(records.map((record) => record.name)).toEqual(['ping', undefined])
  })

  it('read each frame as one value', () => {
    expect(valuesOf(read('json-frames', ['{"a":\n1}', '', '2']))).toEqual([{ a: 1 }, 2])
  })

  it('read lines of arrays as lines, and one array of objects as an array', () => {
    expect(valuesOf(read('auto', ['["messages",{"a":1}]\n["messages",{"b":2}]\n']))).toEqual([
      ['messages', { a: 1 }],
      ['messages', { b: 2 }],
    ])
    expect(valuesOf(read('auto', ['[{"a":1},{"b":2}]']))).toEqual([{ a: 1 }, { b: 2 }])
    expect(valuesOf(read('auto', ['["messages",{"a":1}]']))).toEqual([['messages', { a: 1 }]])
  })

  it('read a single brace as a line', () => {
    expect(read('auto', [' {']).map((record) => record.problem?.code)).toEqual(['record-not-json'])
    expect(valuesOf(read('auto', ['{"a":1}', '\n{"b":2}\n']))).toEqual([{ a: 1 }, { b: 2 }])
  })

  it('read a log line in brackets as a line', () => {
    expect(valuesOf(read('auto', ['[INFO] starting\n{"a":1}\n']))).toEqual([undefined, { a: 1 }])
  })

  it('keep what is not JSON, with a typed problem, and do not affect other records', () => {
    const records = read('json-lines', ['{"a":1}\nStarting…\n{"b":\n{"c":3}\n'])
    expect(records.map((record) => record.problem?.code)).toEqual([
      undefined,
      'record-not-json',
      'record-not-json',
      undefined,
    ])
    expect(records[1]?.text).toBe('Starting…')
  })

  for (const [framing, text] of [
    ['json-lines', `{"a":1}\n{"x":"${'y'.repeat(5000)}"}\n{"b":2}\n`],
    ['sse', `data: {"a":1}\n\ndata: {"x":"${'y'.repeat(5000)}"}\n\ndata: {"b":2}\n\n`],
    ['sse', `data: {"a":1}\n\n${'data: y\n'.repeat(400)}\ndata: {"b":2}\n\n`],
    ['json-array', `[{"a":1},{"x":"${'y'.repeat(5000)}"},{"b":2}]`],
  ] as const) {
    it(`limit a record of ${framing} without effect on other records`, () => {
      for (const size of [7, 64, 100_000]) {
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
          text.slice(at * size, at * size + size),
        )
        const records = read(framing, chunks, { maxRecord: 1000 })
        expect(records.map((record) => record.problem?.code)).toEqual([undefined, 'record-too-large', undefined])
        expect(valuesOf(records)).toEqual([{ a: 1 }, undefined, { b: 2 }])
        expect(records[1]?.text.length).toBeLessThanOrEqual(1024)
      }
    })
  }

  it('limit a frame', () => {
    expect(
      read('json-frames', [`"${'y'.repeat(50)}"`, '1'], { maxRecord: 10 }).map((record) => record.problem?.code),
    ).toEqual(['record-too-large', undefined])
  })

  it('report a framing that does not exist', () => {
    expect(() => getSource('toString')).toThrow('No framing is called "toString".')
  })
})
