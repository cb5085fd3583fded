import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createPoll } from './poll.ts'

/** A database whose next lease ends in so many ms. Resolves with how often it was asked within half a second. */
async function asksBefore(nextEnd: number | null, asksExpired = true): Promise<number> {
  let asks = 0
  const poll = createPoll({
    connections: {
      async read({ name }: { readonly name: string }) {
        if (name === 'poll') asks++
        return name === 'poll' ? [] : [{ has: false, next_end: nextEnd }]
      },
    } as never,
    leases: { bury: async () => undefined } as never,
    question: () => ({ runIds: ['r'], threadIds: [], asksList: false, asksExpired }),
    onAnswer: () => undefined,
    waitClock: () => null,
  })
  onTestFinished(poll.close)
  poll.begin()
  await setTimeout(500)
  return asks
}

it('looks again when a lease ends, and not only with its next look', async () => {
  expect(await asksBefore(100)).toBeGreaterThan(1)
})

it('looks about once a second while no lease is about to end, or nobody wants to know', async () => {
  expect(await Promise.all([asksBefore(null), asksBefore(4_000), asksBefore(100, false)])).toEqual([1, 1, 1])
})

it('is closed as soon as the look that is under way has ended', async () => {
  const look = Promise.withResolvers<[]>()
  const begun = Promise.withResolvers<void>()
  const poll = createPoll({
    connections: {
      read() {
        begun.resolve()
        return look.promise
      },
    } as never,
    leases: {} as never,
    question: () => ({ runIds: ['r'], threadIds: [], asksList: false, asksExpired: false }),
    onAnswer: () => undefined,
    waitClock: () => null,
  })
  poll.begin()
  await begun.promise
  const closed = poll.close().then(() => 'closed')
  look.resolve([])
  // The next look would come 750 ms later at the earliest.
  expect(await Promise.race([closed, setTimeout(600, 'still open')])).toBe('closed')
})

it('a lease that has just ended is no reason to ask without a pause', async () => {
  expect(await asksBefore(-1)).toBeLessThan(22)
})
