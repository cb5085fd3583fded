import { setTimeout as wait } from 'node:timers/promises'

const MOST_MS = 30_000

/** Waits until a condition holds. Rejects with what it waited for. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + MOST_MS
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`Waited ${MOST_MS} ms for ${what}.`)
    await wait(10)
  }
}
