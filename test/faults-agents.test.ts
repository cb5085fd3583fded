import { describe, expect, it } from 'vitest'
import { agentFaults } from '../proofs/faults/agents/index.ts'
import { modes } from '../proofs/faults/modes.ts'

const SEED = 7

describe.skipIf(modes.agents.absence)('whatever a program does', () => {
  for (const { name, promise, sizes, run } of agentFaults) {
    it(`${name}: ${promise}`, { timeout: 120_000 }, async () => {
      const { broken } = await run(sizes.small, SEED)
      expect(broken, `seed ${SEED}; more with: npm run faults -- --agents`).toEqual([])
    })
  }
})
