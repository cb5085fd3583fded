import { describe, expect, it } from 'vitest'
import { matchOf } from './fuzzy.ts'

const best = (query: string, ...texts: string[]) =>
  texts
    .map((text) => ({ text, score: matchOf(query, text)?.score ?? Number.NEGATIVE_INFINITY }))
    .filter(({ score }) => Number.isFinite(score))
    .sort((one, other) => other.score - one.score)
    .map(({ text }) => text)

describe('a match', () => {
  it('has all characters of the query in their order', () => {
    expect(matchOf('ntd', 'New thread')?.marks).toEqual([0, 4, 9])
    expect(matchOf('dtn', 'New thread')).toBeUndefined()
    expect(matchOf('', 'New thread')).toEqual({ score: 0, marks: [] })
  })

  it('takes words in any order, without case and accents', () => {
    expect(matchOf('run STOP', 'Stop the run')?.marks).toEqual([0, 1, 2, 3, 9, 10, 11])
    expect(matchOf('uber', 'Über die Mühle')?.marks).toEqual([0, 1, 2, 3])
    expect(matchOf('stop now', 'Stop the run')).toBeUndefined()
  })

  it('prefers a beginning, then the beginning of a word, then what is adjacent', () => {
    expect(best('run', 'Prune the tree', 'Stop the run', 'Runs', 'Replay until now')).toEqual([
      ...['Runs', 'Stop the run', 'Replay until now', 'Prune the tree'],
    ])
    expect(best('th', 'Notify of that', 'Theme', 'Watch')[0]).toBe('Theme')
  })

  it('prefers the text with less around what was found', () => {
    expect(best('check 1', 'Check 19', 'Check 1', 'Check 10')[0]).toBe('Check 1')
  })

  it('is not lost by a first occurrence that leads nowhere', () => {
    expect(matchOf('key', 'Make the key')?.marks).toEqual([9, 10, 11])
  })

  it('costs no more for a long text than for what is in it', () => {
    const long = `${'ab'.repeat(2_000)} key`
    expect(matchOf('key', long)?.marks).toEqual([4_001, 4_002, 4_003])
    expect(matchOf('aaaaaaaaz', 'a'.repeat(5_000))).toBeUndefined()
  })
})
