import { setTimeout } from 'node:timers/promises'

/** How long anything may take that a page waits for, in ms. */
const PATIENCE = 20_000

/** Resolves with the first result that is not undefined; rejects if there is none in time, with what `seen` says. */
export async function until<Result>(
  what: string,
  look: () => Promise<Result | undefined>,
  seen: () => unknown,
): Promise<Result> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    const result = await look()
    if (result !== undefined) return result
    await setTimeout(30)
  }
  throw new Error(`Waited in vain until ${what}: ${JSON.stringify(seen())}`.slice(0, 1_500))
}
