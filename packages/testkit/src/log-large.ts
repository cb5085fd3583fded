import type { StreamEvent } from '@millrace/core/events'
import { expect } from './expectation.ts'
import { appendTo, delta, end, inputsOf, type LogBench, newRun, readAll, record, start } from './log-bench.ts'
import { it } from './runner.ts'

/** More than a row, a page or a message between threads can hold. */
const LARGE = 400_000

const at = (afterSeq: number) => ({ epoch: 0, afterSeq })

/** The promises of a log about large values: they are stored unchanged, and do not affect other runs. */
export function largePromises(bench: LogBench): void {
  it('stores large records, names, events and messages unchanged, packed or not', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const plain = 'x'.repeat(LARGE)
    const wide = 'é€😀\u0000\u0001"\\'.repeat(LARGE / 8)
    const lone = `${wide}\ud800`
    const events: StreamEvent[] = [
      start,
      delta(plain),
      delta(wide),
      delta(lone),
      { type: 'raw', value: [lone], reason: 'unmapped' },
    ]
    const inputs = [
      record(plain, wide),
      record(wide, plain),
      record(lone),
      { by: 'server', event: delta(lone) } as const,
    ]
    const appended = await appendTo(log, 'r', at(0), { inputs, events })
    const message = {
      id: 'm',
      chatId: 'thread',
      role: 'assistant',
      content: wide,
      metadata: { thinking: plain },
    } as const
    await log.append('r', at(5), { inputs: [], events: [end], message })
    expect(appended.map(({ event }) => event)).toEqual(events)
    expect(await inputsOf(log, 'r')).toEqual(inputs)
    expect(await log.messages('thread')).toEqual([message])
    expect((await readAll(log, 'r')).slice(0, 5)).toEqual(appended)
    await log.pack('r')
    expect((await readAll(log, 'r')).slice(0, 5)).toEqual(appended)
  })

  it('keeps the number of records of every entry of a large append', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const count = 2_500
    const events = [start, ...Array.from({ length: count }, (_, index) => delta(`${index}`))]
    const through = events.map((_, index) => Math.ceil(index / 2))
    const inputs = Array.from({ length: count / 2 }, (_, index) => record(`${index}`))
    const appended = await appendTo(log, 'r', at(0), { inputs, events, through })
    expect(appended.map(({ rawThrough }) => rawThrough)).toEqual(through)
    await log.append('r', at(events.length), { inputs: [], events: [end] })
    expect((await readAll(log, 'r')).slice(0, -1)).toEqual(appended)
    await log.pack('r')
    expect((await readAll(log, 'r')).slice(0, -1)).toEqual(appended)
  })

  it('recognises a repeated large append', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const append = { inputs: [record('x'.repeat(LARGE))], events: [start, delta('é'.repeat(LARGE))] }
    const first = await appendTo(log, 'r', at(0), append)
    expect(await appendTo(log, 'r', at(0), append)).toEqual(first)
    expect((await log.run('r'))?.rawRecords).toBe(1)
  })

  it('accepts large and small appends of many runs at once', async () => {
    const log = await bench.open()
    const ids = Array.from({ length: 12 }, (_, index) => `run-${index}`)
    const sizeOf = (index: number) => (index % 3 === 0 ? LARGE : 5)
    await Promise.all(ids.map((id) => log.createRun(newRun(id))))
    await Promise.all(
      ids.map((id, index) =>
        log.append(id, at(0), { inputs: [record(id)], events: [start, delta('y'.repeat(sizeOf(index))), end] }),
      ),
    )
    for (const [index, id] of ids.entries()) {
      const [, entry] = await readAll(log, id)
      expect(entry?.event).toEqual(delta('y'.repeat(sizeOf(index))))
    }
  })

  it('returns to a writer what a reader gets, however JSON changes its events', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const value = { gone: undefined, list: [undefined, Number.NaN, -0], own: JSON.parse('{"__proto__":{"a":1}}') }
    const appended = await appendTo(log, 'r', at(0), {
      inputs: [],
      events: [{ type: 'raw', value: value as never, reason: 'unmapped' }],
    })
    expect(appended).toStrictEqual(await readAll(log, 'r'))
    expect(JSON.stringify(appended[0]?.event)).toBe(JSON.stringify({ type: 'raw', value, reason: 'unmapped' }))
  })
}
