import { describe, expect, it } from 'vitest'
import { attemptsOf, headOf, lineageOf } from './lineage.ts'

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

describe('the branches of a thread', () => {
  const agent = 'x'
  /** Two beginnings; the first goes on in two ways, and one of these goes on. */
  const tree = [
    { id: 'a', agent },
    { id: 'b', agent, afterRunId: 'a' },
    { id: 'other', agent },
    { id: 'c', agent, afterRunId: 'a' },
    { id: 'sub', agent, parentRunId: 'b' },
    { id: 'd', agent, afterRunId: 'b' },
  ]
  const ids = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id)

  it('have a path each, by the run that it ends with', () => {
    expect(['d', 'c', 'other', 'b'].map((head) => ids(lineageOf(tree, head)))).toEqual([
      ['a', 'b', 'd'],
      ['a', 'c'],
      ['other'],
      ['a', 'b'],
    ])
    expect(ids(lineageOf(tree))).toEqual(['a', 'b', 'd'])
  })

  it('end with the newest run that goes on from any of their runs', () => {
    expect(['a', 'b', 'c', 'other', 'd', 'gone'].map((id) => headOf(tree, id))).toEqual([
      ...['d', 'd', 'c', 'other', 'd', 'gone'],
    ])
  })

  it('are attempts where they continue the same run, or none', () => {
    expect(['a', 'c', 'd', 'sub', 'gone'].map((id) => ids(attemptsOf(tree, id)))).toEqual([
      ['a', 'other'],
      ['b', 'c'],
      ['d'],
      [],
      [],
    ])
    expect(ids(attemptsOf([{ id: 'p' }, { id: 'q' }], 'q'))).toEqual(['q'])
  })
})
