import { describe, expect, it } from 'vitest'
import { lineageOf } from './lineage.ts'

const idsOf = (...runs: Parameters<typeof lineageOf>[0]) => lineageOf(runs).map(({ id }) => id)

describe('the path to the newest run', () => {
  it('follows the links between runs, past other branches', () => {
    const branches = [
      { id: 'a' },
      { id: 'b', afterRunId: 'a' },
      { id: 'c', afterRunId: 'b' },
      { id: 'd', afterRunId: 'a' },
    ]
    expect(idsOf(...branches)).toEqual(['a', 'd'])
  })

  it('takes runs without links one after the other', () => {
    expect(idsOf({ id: 'a' }, { id: 'b' }, { id: 'c' })).toEqual(['a', 'b', 'c'])
  })

  it('begins with an agent’s run that continues no other', () => {
    expect(idsOf({ id: 'a', agent: 'x' }, { id: 'b', agent: 'x' }, { id: 'c', agent: 'x', afterRunId: 'b' })).toEqual([
      'b',
      'c',
    ])
  })

  it('leaves out the runs of subagents', () => {
    expect(idsOf({ id: 'a' }, { id: 'b', parentRunId: 'a' })).toEqual(['a'])
  })

  it('ends whatever the links are', () => {
    expect(idsOf({ id: 'a', afterRunId: 'b' }, { id: 'b', afterRunId: 'b' }, { id: 'c', afterRunId: 'gone' })).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})
