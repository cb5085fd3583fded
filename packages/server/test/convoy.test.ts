import type { Entry } from '@millrace/core/entry'
import { describe, expect, it } from 'vitest'
import { Convoy } from '../src/deliver/convoy.ts'
import { EntryLines } from '../src/log/entry-lines.ts'

const entry = (seq: number): Entry => ({
  seq,
  at: 0,
  event: { type: 'status', message: '', level: 'info' },
  rawThrough: 0,
})

async function* entriesUpTo(count: number): AsyncGenerator<EntryLines> {
  for (let seq = 1; seq <= count; seq++) yield new EntryLines(seq - 1, [JSON.stringify(entry(seq))])
}

/** A convoy from the first entry on, with one entry per batch; `sizes` gives the size of each entry's chunk. */
function convoyOf(count: number, size: (seq: number) => number | undefined) {
  const told = { texts: 0, pushed: 0 }
  const convoy = new Convoy({
    after: 0,
    cursorOf: (seq) => `${seq}`,
    lines: entriesUpTo(count),
    wireState: {
      push({ seq }) {
        told.pushed++
        const length = size(seq)
        if (length === undefined) return []
        const toJSON = () => {
          told.texts++
          return { text: 'x'.repeat(length) }
        }
        return [{ toJSON } as never]
      },
    },
  })
  const readOn = (position: number) => new Promise<void>((wake) => convoy.readOn({ position, wake }))
  return { convoy, told, readOn }
}

describe('a convoy', () => {
  it('encodes no text of entries before its viewers’ positions', async () => {
    const { convoy, told, readOn } = convoyOf(50, () => 10)
    convoy.join()
    convoy.join()
    while (convoy.after < 42) await Promise.all([readOn(42), readOn(45)])
    expect(told).toEqual({ pushed: 42, texts: 0 })
    await readOn(42)
    expect(convoy.batchAfter(42)?.chunks.map(({ cursor }) => cursor)).toEqual(['43'])
    expect(told.texts).toBe(1)
  })

  it('forgets entries far behind, also those without chunks on its wire', async () => {
    const { convoy, readOn } = convoyOf(6_000, () => undefined)
    convoy.join()
    convoy.join()
    for (let seq = 0; seq < 6_000; seq++) await readOn(seq)
    expect(convoy.covers(5_999)).toBe(true)
    expect(convoy.covers(1)).toBe(false)
  })

  it('passes on what fails, the log or the wire, to those who wait', async () => {
    async function* broken(): AsyncGenerator<EntryLines, undefined> {
      yield new EntryLines(0, [JSON.stringify(entry(1))])
      throw new Error('of the log')
    }
    const push = () => {
      throw new Error('of the wire')
    }
    const how = { after: 0, cursorOf: (seq: number) => `${seq}` }
    const ofLog = new Convoy({ ...how, lines: broken() })
    const ofWire = new Convoy({ ...how, lines: broken(), wireState: { push } })
    const readOn = (convoy: Convoy, position: number) => new Promise<void>((wake) => convoy.readOn({ position, wake }))
    for (const convoy of [ofLog, ofWire]) convoy.join()
    await readOn(ofLog, 0)
    expect(ofLog.batchAfter(0)?.through).toBe(1)
    await readOn(ofLog, 1)
    expect(() => ofLog.batchAfter(1)).toThrow('of the log')
    await readOn(ofWire, 0)
    expect(() => ofWire.batchAfter(0)).toThrow('of the wire')
  })

  it('keeps nothing behind a single viewer', async () => {
    const { convoy, readOn } = convoyOf(3, () => 10)
    convoy.join()
    for (let seq = 0; seq < 3; seq++) {
      await readOn(seq)
      expect(convoy.batchAfter(seq)?.through).toBe(seq + 1)
    }
    expect([convoy.covers(1), convoy.covers(2)]).toEqual([false, true])
  })
})
