import type { Entry } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { EntryLines } from './entry-lines.ts'
import { givingReaderOf } from './lines-reader.ts'
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

/** A store whose answers the test controls, and which records its requests. */
function openStore() {
  const asked: number[] = []
  const head = Promise.withResolvers<{ seq: number; isEnded: boolean }>()
  const tails = createTails({
    head: () => head.promise,
    async page(_runId, after) {
      asked.push(after)
      return lines(after + 1, after + 100)
    },
  })
  return { tails, head, asked }
}

describe('live readers', () => {
  it('keep entries that are committed while the position is read from the store', async () => {
    const { tails, head } = openStore()
    const reader = tails.read('r', { after: 2, live: true })[Symbol.asyncIterator]()
    const next = reader.next()
    tails.wake('r', lines(3, 4), false)
    head.resolve({ seq: 2, isEnded: false })
    expect((await next).value).toEqual(entries(3, 4))
  })

  it('read from the store once they have fallen behind the entries in memory', async () => {
    const { tails, head, asked } = openStore()
    const waiting = tails.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    const next = waiting.next()
    head.resolve({ seq: 0, isEnded: false })
    tails.wake('r', lines(1, 1), false)
    expect((await next).value).toEqual(entries(1, 1))
    for (let seq = 2; seq <= 2_000; seq += 2) tails.wake('r', lines(seq, seq + 1), false)
    expect((await waiting.next()).value).toEqual(entries(2, 101))
    expect(asked).toEqual([1])
  })

  it('get from memory what is committed at one moment, and what they lack while others have it', async () => {
    const { tails, head, asked } = openStore()
    head.resolve({ seq: 0, isEnded: false })
    const [quick, slow] = [1, 2].map(() => tails.lines('r', { after: 0, live: true })[Symbol.asyncIterator]())
    if (quick === undefined || slow === undefined) throw new Error('two readers')
    const firsts = [quick.next(), slow.next()]
    await new Promise(setImmediate)
    for (let seq = 1; seq <= 2; seq++) tails.wake('r', lines(seq, seq), false)
    for (const first of firsts) expect((await first).value?.lines).toEqual(lines(1, 1).lines)
    expect((await quick.next()).value?.lines).toEqual(lines(2, 2).lines)
    for (let seq = 3; seq <= 5; seq++) {
      const next = quick.next()
      tails.wake('r', lines(seq, seq), false)
      expect((await next).value?.lines).toEqual(lines(seq, seq).lines)
    }
    for (let seq = 2; seq <= 5; seq++) expect((await slow.next()).value?.lines).toEqual(lines(seq, seq).lines)
    expect(asked).toEqual([])
  })

  it('leave nothing in memory that all of them have, but the newest', async () => {
    const { tails, head, asked } = openStore()
    head.resolve({ seq: 0, isEnded: false })
    const reader = tails.lines('r', { after: 0, live: true })[Symbol.asyncIterator]()
    for (let seq = 1; seq <= 5; seq++) {
      const next = reader.next()
      await new Promise(setImmediate)
      tails.wake('r', lines(seq, seq), false)
      await next
    }
    const waiting = reader.next()
    const [newest, earlier] = [4, 3].map((after) => tails.lines('r', { after, live: true })[Symbol.asyncIterator]())
    expect((await newest?.next())?.value?.lines).toEqual(lines(5, 5).lines)
    expect(asked).toEqual([])
    await earlier?.next()
    expect(asked).toEqual([3])
    await reader.return?.()
    expect((await waiting).done).toBe(true)
  })

  it('give nothing within the call that asks them, neither lines nor an end nor a failure', async () => {
    const { tails, head } = openStore()
    head.resolve({ seq: 0, isEnded: false })
    const reader = givingReaderOf(tails.lines('r', { after: 0, live: true }))
    const given: string[] = []
    /** What the reader has given within the call, and what soon after. */
    const ask = async () => {
      reader.give({
        add: ({ value }) => given.push(value === undefined ? 'end' : `${value.after + 1}`),
        fail: (error) => given.push(`${error}`),
      })
      const within = given.splice(0)
      await new Promise(setImmediate)
      return [within, given.splice(0)]
    }
    expect(await ask()).toEqual([[], []])
    for (let seq = 1; seq <= 2; seq++) tails.wake('r', lines(seq, seq), seq === 2)
    await new Promise(setImmediate)
    expect(given.splice(0)).toEqual(['1'])
    expect(await ask()).toEqual([[], ['2']])
    expect(await ask()).toEqual([[], ['end']])
    expect(await ask()).toEqual([[], ['end']])
    const late = givingReaderOf(tails.lines('r', { after: 0, live: true }))
    tails.fail(new Error('gone'))
    late.give({ add: () => given.push('added'), fail: (error) => given.push(`${error}`) })
    expect(given).toEqual([])
    await new Promise(setImmediate)
    expect(given).toEqual(['Error: gone'])
  })

  it('are rejected if an append of their run fails; later readers get what is stored', async () => {
    const { tails, head } = openStore()
    head.resolve({ seq: 1, isEnded: false })
    const [cut, other] = ['r', 'other'].map((runId) =>
      tails.read(runId, { after: 1, live: true })[Symbol.asyncIterator](),
    )
    const [lost, next] = [cut?.next(), other?.next()]
    await new Promise(setImmediate)
    tails.cut('r', new Error('no room'))
    await expect(lost).rejects.toThrow('no room')
    tails.wake('other', lines(2, 2), false)
    expect((await next)?.value).toEqual(entries(2, 2))
    const back = tails.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    expect((await back.next()).value?.[0]).toEqual(entry(1))
  })
})
