import { describe, expect, it } from 'vitest'
import { restored, searchable, storable } from './text.ts'

const odd = [
  '',
  'plain é 😀',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  'a\u0001b',
  '\u00010000',
  '\u0001',
  '\0',
  '\u00010001',
  '\\u0000',
]

describe('texts in a database', () => {
  it('are restored as they were, and different ones stay different', () => {
    const stored = odd.map(storable)
    expect(stored.map(restored)).toEqual(odd)
    expect(new Set(stored).size).toBe(odd.length)
    for (const text of stored) expect([text.isWellFormed(), text.includes('\0')]).toEqual([true, false])
  })

  it('are searched in lower case, without what the database cannot store', () => {
    expect(odd.map(searchable).every((text) => text.isWellFormed() && !text.includes('\0'))).toBe(true)
    expect(searchable('Ü\0BER')).toBe('über')
  })
})
