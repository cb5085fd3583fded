import fc, { type IAsyncProperty, type IProperty } from 'fast-check'

/** The seed of `npm test`: a test that failed once fails again. `npm run laws` chooses another one each time. */
const SEED = 2026

/** The seed of all properties. */
export function seedNow(): number {
  return Number(process.env.MILLRACE_SEED ?? SEED)
}

/** How many times the usual number of cases is tried. */
function effortNow(): number {
  return Number(process.env.MILLRACE_CASES ?? 1)
}

/** Tries a property on `numRuns` generated cases, the same in every run; a failure names the seed and the path. */
export function holds<Case>(property: IProperty<Case>, numRuns: number): void {
  fc.assert(property, { seed: seedNow(), numRuns: numRuns * effortNow() })
}

/** As `holds`, for a property that must be awaited. */
export async function holdsAsync<Case>(property: IAsyncProperty<Case>, numRuns: number): Promise<void> {
  await fc.assert(property, { seed: seedNow(), numRuns: numRuns * effortNow() })
}
