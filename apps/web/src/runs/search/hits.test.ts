import type { FoundText } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import { groupHits, locationText, optionsOf, partsOf, wordsOf } from './hits.ts'

const hit = (threadId: string, seq: number, change: Partial<FoundText> = {}): FoundText => ({
  threadId,
  title: threadId,
  runId: `run of ${threadId}`,
  seq,
  kind: 'text',
  excerpt: {
    text: 'The Mill and the mill.',
    marks: [
      [4, 8],
      [17, 21],
    ],
  },
  ...change,
})

describe('the hits of a search', () => {
  it('are grouped by thread, in the order in which the threads come first', () => {
    const groups = groupHits([hit('b', 1), hit('a', 5), hit('b', 9)], [{ id: 'a', title: 'A' }])
    expect(groups.map(({ threadId, thread, hits }) => [threadId, thread?.title, hits.map(({ seq }) => seq)])).toEqual([
      ['b', undefined, [1, 9]],
      ['a', 'A', [5]],
    ])
  })

  it('are three of a thread, and the number of the rest, unless the rest is one', () => {
    const optionsFor = (count: number, isOpen: boolean) => {
      const [group] = groupHits(
        Array.from({ length: count }, (_, seq) => hit('a', seq)),
        [],
      )
      return (
        group &&
        optionsOf(group, isOpen).map((option) => (option.type === 'hit' ? option.hit.seq : `${option.count} more`))
      )
    }
    expect(optionsFor(4, false)).toEqual([0, 1, 2, 3])
    expect(optionsFor(6, false)).toEqual([0, 1, 2, '3 more'])
    expect(optionsFor(6, true)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('say where they stand', () => {
    expect(locationText(hit('a', 1_284, { step: 3 }))).toBe('step 3 · #1,284')
    expect(locationText(hit('a', 2, { step: 0 }))).toBe('before step 1 · #2')
    expect(locationText(hit('a', 40, { step: 2, kind: 'question' }))).toBe('before step 3 · #40')
    expect(locationText(hit('a', 7))).toBe('#7')
  })

  it('have their words marked, each once for the marks in the thread', () => {
    const { excerpt } = hit('a', 1)
    expect(
      partsOf(excerpt)
        .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
        .join(''),
    ).toBe('The [Mill] and the [mill].')
    expect(wordsOf(hit('a', 1))).toEqual(['mill'])
    expect(partsOf({ text: 'x', marks: [] })).toEqual([{ text: 'x', isMarked: false }])
  })
})
