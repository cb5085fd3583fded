import { describe, expect, it } from 'vitest'
import { programs } from '../proofs/switch/index.ts'
import { linked, tryPrograms } from '../proofs/switch/try-all.ts'

/** By program, what it proves. */
const promises: { readonly [program: string]: string } = {
  first: 'S0-3, S0-7, S0-27, S0-106: an agent in Python and a page of the AI SDK, reloaded twice',
  second:
    'S1-1, S1-4, S1-26, S1-27, S1-30, S1-32: agents and tools in code, and a page with the stream of a conversation',
  third:
    'S2-3, S2-13, S2-28, S2-29, S2-45, S2-46: a client of sessions with panes of its own, on each way to the server',
  fourth:
    'S3-5, S3-10, S3-24, S3-33, S3-39, S3-42, S3-46, S3-47: a builder of Events, stored Events and the next request',
  fifth:
    'S4-1, S4-2, S4-4, S4-5, S4-6, S4-11, S4-22: a processor of thoughts between tags, its timeline and its thread',
}

// `npm run switch` does the same against packed packages.
describe('the clients and producers of the five systems, with their own frames', () => {
  for (const [program, title] of Object.entries(promises)) {
    it(title, { timeout: 120_000 }, async () => {
      const [finding] = await tryPrograms(program, linked, () => {})
      const rows = finding?.rows ?? []
      expect(rows.length).toBeGreaterThan(2)
      expect(rows.filter(({ kept }) => !kept)).toEqual([])
    })
  }

  it('are all of them, each with what differs', () => {
    expect(programs.map(({ name }) => name)).toEqual(Object.keys(promises))
    expect(programs.filter(({ differs }) => differs.length === 0 || differs.some(({ why }) => why === ''))).toEqual([])
  })
})
