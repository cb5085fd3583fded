import { describe, expect, it } from 'vitest'
import { faults } from '../proofs/faults/index.ts'

const SEED = 7

describe('whatever happens around the server', () => {
  for (const { name, promise, sizes, run } of faults) {
    it(`${name}: ${promise}`, async () => {
      const { broken } = await run(sizes.small, SEED)
      expect(broken, `seed ${SEED}; more with: npm run faults`).toEqual([])
    })
  }
})
