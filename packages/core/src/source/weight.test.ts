import { describe, expect, it } from 'vitest'
import { type Framing, getSource } from './index.ts'
import type { RawRecord } from './source.ts'

const MOST = 6_000

function read(framing: Framing, text: string): RawRecord[] {
  const source = getSource(framing)({ maxRecord: MOST })
  return [...source.feed(new TextEncoder().encode(text)), ...source.end()]
}

const codesOf = (records: readonly RawRecord[]) => records.map(({ problem }) => problem?.code)

describe('the weight of a record', () => {
  it.each(['json-lines', 'json-frames', 'auto'] as const)('is its length as JSON, in %s', (framing) => {
    expect(codesOf(read(framing, '\u0001'.repeat(MOST / 6)))).toEqual(['record-not-json'])
    const [over] = read(framing, '\u0001'.repeat(MOST / 6 + 1))
    expect(over?.problem?.code).toBe('record-too-large')
    expect(over?.text.length).toBeLessThanOrEqual(1024)
    expect(codesOf(read(framing, '"'.repeat(MOST / 2)))).toEqual(['record-not-json'])
    expect(codesOf(read(framing, '"'.repeat(MOST / 2 + 1)))).toEqual(['record-too-large'])
  })

  it('is its own length if it is JSON', () => {
    const filled = (length: number) => `"${'\\n'.repeat((length - 2) / 2)}"`
    expect(codesOf(read('json-lines', `${filled(MOST)}\n${filled(MOST + 2)}\n`))).toEqual([
      undefined,
      'record-too-large',
    ])
  })

  it('counts the name of an event, and keeps only its beginning', () => {
    const event = (name: string) => `event: ${name}\ndata: 1\n\n`
    expect(codesOf(read('sse', event('n'.repeat(MOST - 1))))).toEqual([undefined])
    const [over, next] = read('sse', `${event('\u0001'.repeat(MOST / 6))}data: 2\n\n`)
    expect(over?.problem?.code).toBe('record-too-large')
    expect(over?.name?.length).toBeLessThanOrEqual(1024)
    expect(next?.value).toBe(2)
  })

  it('keeps the detected framing available', () => {
    const source = getSource('auto')()
    source.feed(new TextEncoder().encode('data: 1\n\n'))
    expect(source.framing?.()).toBe('sse')
  })
})
