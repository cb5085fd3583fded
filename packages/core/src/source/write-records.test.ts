import { describe, expect, it } from 'vitest'
import { getSource } from './index.ts'
import { writeRecords } from './write-records.ts'

const records = [
  { text: '{"a":\n 1}', name: 'first' },
  { text: '{"b":"x\\ny"}', name: undefined },
]

function readAgain(framing: 'sse' | 'json-lines' | 'json-array', text: string) {
  const source = getSource(framing)()
  return [...source.feed(new TextEncoder().encode(text)), ...source.end()].map(({ value, name }) => ({ value, name }))
}

describe('records that are written', () => {
  const values = [{ a: 1 }, { b: 'x\ny' }]

  it('are read again in their own framing, with the names of server-sent events', () => {
    for (const framing of ['json-lines', 'json-array'] as const)
      expect(readAgain(framing, writeRecords(framing, records).text)).toEqual(
        values.map((value) => ({ value, name: undefined })),
      )
    expect(readAgain('sse', writeRecords('sse', records).text)).toEqual([
      { value: values[0], name: 'first' },
      { value: values[1], name: undefined },
    ])
  })

  it('have the extension of their framing, and are lines if nothing says how they were laid out', () => {
    const lines = records.map(({ text }) => ({ text }))
    expect(
      ['sse', 'json-lines', 'json-array', 'json-frames'].map((each) => writeRecords(each, lines).extension),
    ).toEqual(['sse', 'jsonl', 'json', 'jsonl'])
    expect(writeRecords(undefined, lines).extension).toBe('jsonl')
    expect(writeRecords(undefined, records).extension).toBe('sse')
  })
})
