import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Framing, getSource } from './index.ts'
import { createRecordText } from './record-text.ts'
import type { RawRecord, SourceOptions } from './source.ts'

const encoder = new TextEncoder()

function read(framing: Framing, text: string, size: number, options?: SourceOptions): RawRecord[] {
  const source = getSource(framing)(options)
  const bytes = encoder.encode(text)
  const records: RawRecord[] = []
  for (let at = 0; at < bytes.length; at += size) records.push(...source.feed(bytes.subarray(at, at + size)))
  return [...records, ...source.end()]
}

const problemsOf = (records: readonly RawRecord[]) => records.map((record) => record.problem?.code)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a server-sent event', () => {
  it('is too large with many empty data lines: each line costs', () => {
    const text = `${'data:\n'.repeat(200)}\ndata: 1\n\n`
    expect(problemsOf(read('sse', text, 64, { maxRecord: 1000 }))).toEqual(['record-too-large', undefined])
  })

  it('has a bounded number of data lines', () => {
    const [record, ...others] = read('sse', `${'data:\n'.repeat(100_001)}\n`, 65_536)
    expect(record?.problem?.code).toBe('record-too-large')
    expect(record?.text.length).toBeLessThanOrEqual(1024)
    expect(others).toEqual([])
  })

  it('is too large with a long name, of which the beginning is kept', () => {
    const [record] = read('sse', `event: ${'n'.repeat(5000)}\ndata: 1\n\n`, 64, { maxRecord: 4000 })
    expect(record?.problem?.code).toBe('record-too-large')
    expect(record?.name?.length).toBeLessThanOrEqual(1024)
  })

  it('is too large with many names between its lines', () => {
    const text = `event: ${'n'.repeat(100)}\ndata:\n`.repeat(10)
    expect(problemsOf(read('sse', text, 64, { maxRecord: 1500 }))).toEqual(['record-too-large'])
  })

  it('that is full becomes one record per line if each line is JSON', () => {
    const text = Array.from({ length: 400 }, (_, index) => `event: n${index}\ndata: {"at":${index}}\n`).join('')
    for (const size of [7, 100_000]) {
      const records = read('sse', text, size, { maxRecord: 1000 })
      expect(records.map(({ name, value }) => [name, value])).toEqual(
        Array.from({ length: 400 }, (_, index) => [`n${index}`, { at: index }]),
      )
    }
  })

  it('is parsed line by line only up to the first line that is not JSON', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(problemsOf(read('sse', `data: {}\n${'data: {x}\n'.repeat(1000)}\n`, 65_536))).toEqual(['record-not-json'])
    expect(parse.mock.calls.length).toBeLessThanOrEqual(4)
  })
})

describe('noise', () => {
  it('costs no error object and no attempt to parse', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const records = read('json-lines', 'x\n{\n\ntruth\n"open\n'.repeat(100), 65_536)
    expect(records).toHaveLength(400)
    for (const { problem } of records) expect(problem).not.toBeInstanceOf(Error)
    expect(parse).not.toHaveBeenCalled()
  })
})

describe('a framing that is detected late', () => {
  for (const [name, text] of Object.entries({
    'short lines': 'abc\n'.repeat(10_000),
    'an array on one line': `[${'1,'.repeat(20_000)}`,
    'an array and blank lines': `[1]${'\n'.repeat(40_000)}`,
    spaces: ' '.repeat(40_000),
  })) {
    it(`inspects each byte of ${name} once, however small the chunks are`, () => {
      const decode = vi.spyOn(TextDecoder.prototype, 'decode')
      const parse = vi.spyOn(JSON, 'parse')
      const records = read('auto', text, 4)
      const decoded = decode.mock.calls.reduce((sum, [bytes]) => sum + (bytes?.byteLength ?? 0), 0)
      // Once to detect the framing, once to read.
      expect(decoded).toBeLessThanOrEqual(2 * text.length)
      expect(parse.mock.calls.length).toBeLessThanOrEqual(2)
      expect(problemsOf(read('auto', text, text.length))).toEqual(problemsOf(records))
    })
  }
})

describe('a record that is too large', () => {
  for (const [framing, text] of [
    ['json-lines', `"${'abc'.repeat(100)}"\n`],
    ['json-array', `["${'abc'.repeat(100)}"]`],
    ['sse', `data: "${'abc'.repeat(100)}"\n\n`],
  ] as const) {
    it(`of ${framing} keeps the same beginning, wherever the bytes are cut`, () => {
      const beginnings = [1, 3, 50, 10_000].map((size) => read(framing, text, size, { maxRecord: 40 })[0]?.text)
      expect(new Set(beginnings).size).toBe(1)
    })
  }
})

describe('the text of a record', () => {
  it('is joined from its fragments, in order, and leaves nothing to the next', () => {
    const recordText = createRecordText(10_000)
    for (let at = 0; at < 5000; at++) recordText.add(String(at % 10))
    expect(recordText.take()).toEqual({ text: '0123456789'.repeat(500), isWhole: true })
    expect(recordText.length).toBe(0)
    expect(recordText.take()).toEqual({ text: '', isWhole: true })
  })
})
