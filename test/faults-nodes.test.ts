import { describe, expect, it } from 'vitest'
import { modes } from '../proofs/faults/modes.ts'

const SEED = 20

const shared = { '--postgres': modes.postgres, '--nodes': modes.nodes }

for (const [option, { heading, faults, absence }] of Object.entries(shared)) {
  describe.skipIf(absence)(`whatever happens around ${heading.toLowerCase()}`, () => {
    for (const { name, promise, sizes, run } of faults) {
      it(`${name}: ${promise}`, async () => {
        const { broken } = await run(sizes.small, SEED)
        expect(broken, `seed ${SEED}; more with: npm run faults -- ${option}`).toEqual([])
      }, 180_000)
    }
  })
}
