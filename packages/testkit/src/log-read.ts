import type { Entry } from '@millrace/core/events'
import { expect } from './expectation.ts'
import {
  add,
  appendTo,
  delta,
  end,
  filledRun,
  type LogBench,
  newRun,
  readAll,
  refusalOf,
  seqsOf,
  start,
  upFrom,
} from './log-bench.ts'
import { it } from './runner.ts'

/** The promises of a log to its readers. */
export function readPromises(bench: LogBench): void {
  it('reads strictly after any position, with no gap and no repeat', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 150)
    const whole = await readAll(log, 'r')
    expect(seqsOf(whole)).toEqual(upFrom(1, 150))
    for (const after of upFrom(0, 152)) expect(await readAll(log, 'r', after)).toEqual(whole.slice(after))
  })

  it('goes from stored entries to live ones without gap or repeat', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 40, true)
    const reading = upFrom(0, 39).map((after) => readAll(log, 'r', after, true))
    for (const n of upFrom(1, 50)) await add(log, 'r', delta(`${n}.1`), delta(`${n}.2`), delta(`${n}.3`))
    // In the middle of an append that is still kept for live readers.
    reading.push(readAll(log, 'r', 60, true))
    await add(log, 'r', end)
    const whole = await readAll(log, 'r')
    expect(whole).toHaveLength(191)
    const seen = await Promise.all(reading)
    for (const [index, entries] of seen.entries()) expect(entries).toEqual(whole.slice(index === 40 ? 60 : index))
  })

  it('sends a waiting reader each entry before the next append, and ends with the run', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const reader = log.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    for (const n of upFrom(1, 20)) {
      const next = reader.next()
      await add(log, 'r', delta(String(n)))
      expect(seqsOf((await next).value ?? [])).toEqual([n])
    }
    await add(log, 'r', end)
    expect(seqsOf((await reader.next()).value ?? [])).toEqual([21])
    expect((await reader.next()).done).toBe(true)
  })

  it('serves many readers of one run, each from its own position', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 30, true)
    const reading = upFrom(1, 200).map((n) => readAll(log, 'r', n % 30, true))
    for (const n of upFrom(31, 60)) await add(log, 'r', delta(String(n)))
    await add(log, 'r', end)
    const seen = await Promise.all(reading)
    for (const [index, entries] of seen.entries()) expect(seqsOf(entries)).toEqual(upFrom(((index + 1) % 30) + 1, 61))
  })

  it('sends the same entries to a reader that has fallen far behind', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const reader = log.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    const first = reader.next()
    await add(log, 'r', start)
    const seen: Entry[] = [...((await first).value ?? [])]
    for (const n of upFrom(1, 60)) await add(log, 'r', ...upFrom(1, 40).map((m) => delta(`${n}.${m}`)))
    await add(log, 'r', delta('y'.repeat(2_000_000)), end)
    for (let next = await reader.next(); !next.done; next = await reader.next()) seen.push(...next.value)
    expect(seen).toEqual(await readAll(log, 'r'))
    expect(seen).toHaveLength(2403)
  })

  it('keeps runs separate', async () => {
    const log = await bench.open()
    await Promise.all(['a', 'b', 'c'].map((id) => filledRun(log, id, 25)))
    for (const id of ['a', 'b', 'c']) {
      const texts = (await readAll(log, id)).flatMap(({ event }) => (event.type === 'block-delta' ? [event.text] : []))
      expect(texts).toEqual(upFrom(2, 24).map((seq) => `${id}:${seq}`))
    }
  })

  it('ends a reader as soon as its signal aborts, and not the others', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 5, true)
    const controller = new AbortController()
    const seen: number[] = []
    const aborted = (async () => {
      for await (const batch of log.read('r', { after: 0, live: true, signal: controller.signal })) {
        seen.push(...seqsOf(batch))
        if (seen.length === 5) setImmediate(() => controller.abort())
      }
    })()
    const other = readAll(log, 'r', 0, true)
    await aborted
    expect(seen).toEqual(upFrom(1, 5))
    const late = log.read('r', { after: 0, live: true, signal: controller.signal })
    expect((await late[Symbol.asyncIterator]().next()).done).toBe(true)
    await add(log, 'r', end)
    expect(seqsOf(await other)).toEqual(upFrom(1, 6))
  })

  it('does not wait for new entries unless `live` is set', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 3, true)
    expect(seqsOf(await readAll(log, 'r', 1))).toEqual([2, 3])
    expect(await readAll(log, 'r', 3)).toEqual([])
  })

  it('sends live readers exactly what it stores, not the objects of the writer', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const live = readAll(log, 'r', 0, true)
    const event = { ...delta('a\u0000\ud800'), meta: { provider: { 2: 'b', 1: 'a', gone: undefined as never } } }
    const [entry] = await add(log, 'r', event)
    Object.assign(event, { text: 'changed afterwards' })
    await add(log, 'r', end)
    const stored = await readAll(log, 'r')
    expect(JSON.stringify(await live)).toBe(JSON.stringify(stored))
    expect(entry).toStrictEqual(stored[0])
    expect(stored[0]?.event).toStrictEqual({
      ...delta('a\u0000\ud800'),
      meta: { provider: { 1: 'a', 2: 'b' } },
    })
  })

  it('reads the same from every position before, during and after packing', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 130)
    await log.createRun(newRun('long'))
    for (const n of upFrom(1, 9)) await add(log, 'long', ...upFrom(1, 300).map((m) => delta(`${n}.${m}`)))
    expect(await refusalOf(log.pack('long'))).toBe('run-live')
    await add(log, 'long', end)
    const [short, long] = [await readAll(log, 'r'), await readAll(log, 'long')]
    const [, , during] = await Promise.all([log.pack('long'), log.pack('r'), readAll(log, 'long'), log.pack('long')])
    expect(during).toEqual(long)
    for (const after of upFrom(0, 131)) expect(await readAll(log, 'r', after, true)).toEqual(short.slice(after))
    for (const after of [0, 1, 299, 300, 998, 999, 1000, 1001, 2000, 2700]) {
      expect(await readAll(log, 'long', after)).toEqual(long.slice(after))
    }
    const repeated = { inputs: [], events: [end] }
    expect(await appendTo(log, 'long', { epoch: 0, afterSeq: 2700 }, repeated)).toEqual(long.slice(2700))
  })

  it('gives the lines as they are stored, from any entry on, before and after it is packed', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 40)
    const lines = (await readAll(log, 'r')).map((entry) => JSON.stringify(entry))
    for (const isPacked of [false, true]) {
      if (isPacked) await log.pack('r')
      for (const after of [0, 1, 6, 7, 8, 39, 40]) {
        let position = after
        for await (const added of log.lines('r', { after, live: true })) {
          expect(added.after).toBe(position)
          expect(added.lines).toEqual(lines.slice(position, position + added.lines.length))
          expect(added.entries().map((entry) => JSON.stringify(entry))).toEqual(added.lines)
          position += added.lines.length
        }
        expect(position).toBe(40)
      }
    }
  })

  it('ends a reader that waits as soon as it returns', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 3, true)
    const reader = log.lines('r', { after: 3, live: true })[Symbol.asyncIterator]()
    const waiting = reader.next()
    await reader.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })

  it('rejects every operation after it was closed, and every waiting reader', async () => {
    const log = await bench.open()
    await filledRun(log, 'r', 3, true)
    await filledRun(log, 'open', 3, true)
    const reader = log.read('open', { after: 0, live: true })[Symbol.asyncIterator]()
    await reader.next()
    const waiting = refusalOf(reader.next())
    const handedOver = log.append('r', { epoch: 0, afterSeq: 3 }, { inputs: [], events: [end] })
    await Promise.all([log.close(), log.close()])
    expect(seqsOf((await handedOver).entries())).toEqual([4])
    expect(await waiting).toBe('log-closed')
    const operations = [
      log.run('r'),
      log.threads({}),
      readAll(log, 'r'),
      log.join(),
      log.acquire('r', 'node'),
      log.tell('r', { command: { type: 'stop' } }),
      log.createThread({ id: 't' }),
    ]
    expect(new Set(await Promise.all(operations.map(refusalOf)))).toEqual(new Set(['log-closed']))
  })
}
