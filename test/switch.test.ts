import { describe, expect, it } from 'vitest'
import { programs } from '../proofs/switch/index.ts'
import { linked, tryPrograms } from '../proofs/switch/try-all.ts'

// `npm run switch` does the same against packed packages.
describe('the clients and producers of the five systems, with their own frames', () => {
  for (const { name, title } of programs) {
    it(`${name}: ${title}`, { timeout: 120_000 }, async () => {
      const [finding] = await tryPrograms(name, linked, () => {})
      const rows = finding?.rows ?? []
      expect(rows.length).toBeGreaterThan(2)
      expect(rows.filter(({ kept }) => !kept)).toEqual([])
    })
  }
})
