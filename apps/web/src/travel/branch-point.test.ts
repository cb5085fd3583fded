import { describe, expect, it } from 'vitest'
import { branchPointOf, branchWords } from './branch-point.ts'

const path = [
  { id: 'one', seq: 12, state: 'ended' },
  { id: 'two', seq: 40, state: 'ended' },
  { id: 'three', seq: 9, state: 'live' },
] as const

describe('the turn boundary before a moment', () => {
  it('is the end of the run before, inside of a run', () => {
    for (const seq of [0, 1, 39])
      expect(branchPointOf(path, { runId: 'two', seq })).toEqual({
        after: 'one',
        keptTurns: 1,
        at: { runId: 'one', seq: 12 },
      })
  })

  it('is the end of the run itself, once it is reached', () => {
    expect(branchPointOf(path, { runId: 'two', seq: 40 })).toMatchObject({ after: 'two', keptTurns: 2 })
  })

  it('is never inside of a run that goes on', () => {
    expect(branchPointOf(path, { runId: 'three', seq: 9 })).toMatchObject({ after: 'two', keptTurns: 2 })
  })

  it('is before everything in the first run, and in a run that is not shown', () => {
    const start = { after: null, keptTurns: 0, at: { runId: 'one', seq: 0 } }
    expect(branchPointOf(path, { runId: 'one', seq: 3 })).toEqual(start)
    expect(branchPointOf(path, { runId: 'other', seq: 3 })).toEqual(start)
    expect([1, 2].map((keptTurns) => branchWords({ ...start, keptTurns }))).toEqual(['after turn 1', 'after turn 2'])
    expect(branchWords(start)).toBe('before the first turn')
  })
})
