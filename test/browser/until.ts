import { setTimeout } from 'node:timers/promises'

const ROUND_MS = 50
const MOST_ROUNDS = 600

/** Resolves when the condition holds; rejects after a time limit with the sentence that did not come true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (await holds()) return
    await setTimeout(ROUND_MS)
  }
  throw new Error(`It did not come true: ${what}.`)
}
