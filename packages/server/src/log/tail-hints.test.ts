import type { Entry } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { EntryLines } from './entry-lines.ts'
import { createTails } from './tail.ts'

const entry = (seq: number): Entry => ({
  seq,
  at: seq,
  event: { type: 'status', message: `${seq}`, level: 'info' },
  rawThrough: seq,
})
const entries = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => entry(first + index))
const lines = (first: number, last: number) =>
  new EntryLines(
    first - 1,
    entries(first, last).map((each) => JSON.stringify(each)),
  )

/** A store that others fill. */
function openStore() {
  const store = { seq: 2, isEnded: false, isThere: true, heads: 0, pages: 0, followed: [] as string[] }
  const tails = createTails({
    async head() {
      store.heads++
      return store.isThere ? { seq: store.seq, isEnded: store.isEnded } : undefined
    },
    async page(_runId, after) {
      store.pages++
      return lines(after + 1, store.seq)
    },
    follow(runId) {
      store.followed.push(`+${runId}`)
      return () => store.followed.push(`-${runId}`)
    },
  })
  const reader = tails.read('r', { after: 2, live: true })[Symbol.asyncIterator]()
  return { store, tails, reader }
}

/** A reader that waits: it knows the run up to entry 2. */
async function waiting() {
  const opened = openStore()
  const next = opened.reader.next()
  await new Promise(setImmediate)
  expect(opened.store.heads).toBe(1)
  return { ...opened, next }
}

describe('hints of other processes', () => {
  it('give lines to a reader without asking the store, if they follow what it has', async () => {
    const { store, tails, reader, next } = await waiting()
    tails.grown('r', 4, false, lines(3, 4))
    expect((await next).value).toEqual(entries(3, 4))
    const second = reader.next()
    tails.grown('r', 6, false, lines(4, 6))
    expect((await second).value).toEqual(entries(5, 6))
    const last = reader.next()
    tails.grown('r', 7, true, lines(7, 7))
    expect((await last).value).toEqual(entries(7, 7))
    expect((await reader.next()).done).toBe(true)
    expect([store.heads, store.pages]).toEqual([1, 0])
  })

  it('lead to a look at the store if lines are missing, or do not follow', async () => {
    const { store, tails, reader, next } = await waiting()
    store.seq = 5
    tails.grown('r', 5, false)
    expect((await next).value).toEqual(entries(3, 5))
    const second = reader.next()
    store.seq = 9
    tails.grown('r', 9, false, lines(8, 9))
    expect((await second).value).toEqual(entries(6, 9))
    expect([store.heads, store.pages]).toEqual([3, 2])
  })

  it('are not needed by a reader that does not wait: it reads what is stored when it begins', async () => {
    const { store, tails, next } = await waiting()
    store.seq = 5
    const whole = tails.read('r', { after: 2, live: false })[Symbol.asyncIterator]()
    expect((await whole.next()).value).toEqual(entries(3, 5))
    expect((await whole.next()).done).toBe(true)
    // The late hint is nothing new: the reader that waits has to hear of the entries without it.
    expect((await next).value).toEqual(entries(3, 5))
    expect(store.heads).toBe(2)
  })

  it('may be wrong: what the store does not have is not read, and later entries come', async () => {
    const { store, tails, next } = await waiting()
    tails.grown('r', 7, false)
    tails.grown('r', 9, true)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    store.seq = 3
    tails.grown('r', 3, false)
    expect((await next).value).toEqual(entries(3, 3))
  })

  it('are not lost while the position is read from the store', async () => {
    const heads = [
      Promise.withResolvers<{ seq: number; isEnded: boolean }>(),
      Promise.resolve({ seq: 3, isEnded: false }),
    ]
    let asked = 0
    const tails = createTails({
      async head() {
        const answer = heads[asked++]
        return answer instanceof Promise ? answer : answer?.promise
      },
      page: async (_runId, after) => lines(after + 1, 3),
    })
    const next = tails.read('r', { after: 2, live: true })[Symbol.asyncIterator]().next()
    await new Promise(setImmediate)
    tails.grown('r', 3, false, lines(3, 3))
    const [first] = heads
    if (first !== undefined && 'resolve' in first) first.resolve({ seq: 2, isEnded: false })
    expect((await next).value).toEqual(entries(3, 3))
  })

  it('may be doubled, late and in any order', async () => {
    const { store, tails, reader, next } = await waiting()
    const hints = [lines(3, 4), lines(3, 3), lines(5, 6), lines(1, 2), lines(5, 6), lines(3, 6)]
    store.seq = 6
    for (const each of hints) tails.grown('r', each.after + each.lines.length, false, each)
    const seen = [...((await next).value ?? [])]
    while (seen.length < 4) seen.push(...((await reader.next()).value ?? []))
    expect(seen).toEqual(entries(3, 6))
  })

  it('do not end a run that has not ended', async () => {
    const { store, tails, reader, next } = await waiting()
    tails.grown('r', 2, true)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    store.seq = 3
    store.isEnded = true
    tails.grown('r', 3, true)
    expect((await next).value).toEqual(entries(3, 3))
    expect((await reader.next()).done).toBe(true)
  })

  it('reject the readers of a run that is gone', async () => {
    const { store, tails, next } = await waiting()
    store.isThere = false
    tails.grown('r', Number.POSITIVE_INFINITY, true)
    await expect(next).rejects.toMatchObject({ code: 'unknown-run' })
    expect(tails.runIds()).toEqual([])
  })

  it('are asked for while a run has readers', async () => {
    const { store, tails, reader, next } = await waiting()
    const other = tails.read('r', { after: 2, live: true })[Symbol.asyncIterator]()
    const second = other.next()
    expect(tails.runIds()).toEqual(['r'])
    await reader.return?.()
    await next
    expect(store.followed).toEqual(['+r'])
    await other.return?.()
    await second
    expect(store.followed).toEqual(['+r', '-r'])
  })
})
