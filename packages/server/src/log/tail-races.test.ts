import type { Entry } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { EntryLines } from './entry-lines.ts'
import { createTails } from './tail.ts'

const status = (seq: number): Entry => ({
  seq,
  at: seq,
  event: { type: 'status', message: `${seq}`, level: 'info' },
  rawThrough: seq,
})
const linesOf = (...entries: readonly Entry[]) =>
  new EntryLines(
    (entries[0]?.seq ?? 1) - 1,
    entries.map((entry) => JSON.stringify(entry)),
  )
const large = (seq: number): Entry => ({
  ...status(seq),
  event: { type: 'status', message: 'x'.repeat(400_000), level: 'info' },
})
const last = (seq: number): Entry => ({ ...status(seq), event: { type: 'run-end', outcome: 'success' } })

interface Head {
  readonly seq: number
  readonly isEnded: boolean
}

/** A store whose answers the test gives, one by one, while other things happen. */
function createStore() {
  const heads: PromiseWithResolvers<Head | undefined>[] = []
  const pages: PromiseWithResolvers<EntryLines>[] = []
  const ask = <Answer>(asked: PromiseWithResolvers<Answer>[]) => {
    const answer = Promise.withResolvers<Answer>()
    asked.push(answer)
    return answer.promise
  }
  const tails = createTails({ head: () => ask(heads), page: () => ask(pages) })
  const reader = (after: number, signal?: AbortSignal) =>
    tails.read('r', { after, live: true, ...(signal && { signal }) })[Symbol.asyncIterator]()
  return { tails, heads, pages, reader }
}

const turn = () => new Promise(setImmediate)
const open: Head = { seq: 2, isEnded: false }

describe('a live reader', () => {
  it('ends with a run that ends while its position is read', async () => {
    const { tails, heads, reader } = createStore()
    const live = reader(2)
    const next = live.next()
    tails.wake('r', linesOf(last(3)), true)
    heads[0]?.resolve(open)
    expect((await next).value).toEqual([last(3)])
    expect(await live.next()).toEqual({ done: true, value: undefined })
  })

  it.each([
    ['removed', 'There is no run "r".'],
    ['cut', 'no room'],
    ['failed', 'closed'],
  ])('is rejected if its run is %s while its position or a page is read', async (what, message) => {
    for (const at of ['position', 'page']) {
      const { tails, heads, pages, reader } = createStore()
      const live = reader(0)
      const next = live.next()
      await turn()
      if (at === 'page') heads[0]?.resolve(open)
      await turn()
      if (what === 'removed') tails.forget(['r'])
      if (what === 'cut') tails.cut('r', new Error('no room'))
      if (what === 'failed') tails.fail(new Error('closed'))
      heads[0]?.resolve(open)
      pages[0]?.resolve(what === 'removed' ? linesOf() : linesOf(status(1), status(2)))
      // A page that was read before is good; what follows is rejected.
      const rejected = at === 'page' && what !== 'removed' ? next.then(() => live.next()) : next
      await expect(rejected).rejects.toThrow(message)
    }
  })

  it('of a removed run leaves the readers of a new run with the same id alone', async () => {
    const { tails, heads, reader } = createStore()
    const old = reader(2)
    const rejected = expect(old.next()).rejects.toThrow('There is no run')
    heads[0]?.resolve(open)
    await turn()
    tails.forget(['r'])
    const fresh = reader(0)
    const next = fresh.next()
    await rejected
    heads[1]?.resolve({ seq: 0, isEnded: false })
    await turn()
    tails.wake('r', linesOf(status(1)), false)
    expect((await next).value).toEqual([status(1)])
  })

  it('keeps the others awake when it leaves, the second and the third time, too', async () => {
    const { tails, heads, reader } = createStore()
    const staying = reader(2)
    const waiting = staying.next()
    heads[0]?.resolve(open)
    await turn()
    for (const seq of [3, 4, 5]) {
      const leaving = new AbortController()
      const ended = reader(seq - 1, leaving.signal).next()
      await turn()
      leaving.abort()
      expect((await ended).done).toBe(true)
    }
    tails.wake('r', linesOf(status(3)), false)
    expect((await waiting).value).toEqual([status(3)])
    expect(heads).toHaveLength(1)
  })

  it('that is aborted while a page is read gets nothing more', async () => {
    const { heads, pages, reader } = createStore()
    const controller = new AbortController()
    const next = reader(0, controller.signal).next()
    heads[0]?.resolve(open)
    await turn()
    controller.abort()
    pages[0]?.resolve(linesOf(status(1), status(2)))
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('that keeps up reads every large commit from memory, and the next reader, too', async () => {
    const { tails, heads, pages, reader } = createStore()
    const live = reader(2)
    let next = live.next()
    heads[0]?.resolve(open)
    for (let seq = 3; seq <= 8; seq++) {
      await turn()
      tails.wake('r', linesOf(large(seq)), false)
      await turn()
      expect(pages, 'reads from the store').toHaveLength(0)
      expect((await next).value).toEqual([large(seq)])
      next = live.next()
    }
    expect((await reader(7).next()).value).toEqual([large(8)])
  })
})
