import { describe, expect, it } from 'vitest'
import { unneededArms } from '../proofs/coverage/unneeded.ts'

describe('the arms of parsers and sources', async () => {
  const { arms, staleReasons } = await unneededArms()

  it('are needed by a recording, or have a reason', () => {
    const unexplained = arms.filter(({ reason }) => reason === undefined)
    expect(unexplained.map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 80)}`)).toEqual([])
  })

  it('have no reason that they do not need', () => {
    expect(staleReasons).toEqual([])
  })
})
