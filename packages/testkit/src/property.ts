import fc, { type IAsyncProperty, type IProperty } from 'fast-check'
import { effortNow, sample } from './seeded.ts'

/** The seed of `npm test`: a test that failed once fails again. `npm run laws` chooses another one each time. */
const SEED = 2026

/** The seed of all properties. */
export function seedNow(): number {
  return Number(process.env.MILLRACE_SEED ?? SEED)
}

/** Tries a property on `numRuns` generated cases, the same in every run; a failure names the seed and the path. */
export function holds<Case>(property: IProperty<Case>, numRuns: number): void {
  fc.assert(property, { seed: seedNow(), numRuns: numRuns * effortNow() })
}

/** As `holds`, for a property that must be awaited. */
export async function holdsAsync<Case>(property: IAsyncProperty<Case>, numRuns: number): Promise<void> {
  await fc.assert(property, { seed: seedNow(), numRuns: numRuns * effortNow() })
}

/** `count` of the items, chosen by the seed and the name; all of them if so many more cases are tried. */
export function some<Item>(items: readonly Item[], count: number, name: string): readonly Item[] {
  const own = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seedNow())
  return sample(items, count * effortNow(), own)
}
