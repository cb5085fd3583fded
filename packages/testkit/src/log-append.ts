import type { Append } from '@millrace/server/log'
import { expect } from './expectation.ts'
import {
  add,
  appendTo,
  delta,
  end,
  inputsOf,
  type LogBench,
  newRun,
  readAll,
  record,
  refusalOf,
  seqsOf,
  start,
  upFrom,
} from './log-bench.ts'
import { it } from './runner.ts'

const at = (afterSeq: number) => ({ epoch: 0, afterSeq })
const append = (...events: Append['events']): Append => ({ inputs: [], events })

/** The promises of a log to its writers. */
export function appendPromises(bench: LogBench): void {
  it('numbers entries from 1 without gaps, whatever the size of the appends', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const appended = [
      ...(await add(log, 'r', start)),
      ...(await add(log, 'r')),
      ...(await add(log, 'r', ...upFrom(1, 2500).map((n) => delta(String(n))))),
      ...(await add(log, 'r', end)),
    ]
    expect(seqsOf(appended)).toEqual(upFrom(1, 2502))
    expect(await readAll(log, 'r')).toEqual(appended)
    expect(await log.run('r')).toMatchObject({ seq: 2502, rawRecords: 2502, state: 'ended', outcome: 'success' })
  })

  it('never lets time go back, even if the clock does', async () => {
    const times = [500, 900, 300, 100, 901, 50]
    let tick = 0
    const log = await bench.open(() => times[tick] ?? 0)
    await log.createRun(newRun('r'))
    for (tick = 1; tick < times.length; tick++) await add(log, 'r', delta(String(tick)))
    expect((await readAll(log, 'r')).map((entry) => entry.at)).toEqual([900, 900, 900, 901, 901])
  })

  it('uses the time of the writer, but never an earlier one than that of the last entry', async () => {
    const log = await bench.open(() => 1000)
    await log.createRun(newRun('r'))
    await add(log, 'r', start)
    const [early] = await appendTo(log, 'r', at(1), { ...append(delta('recovered')), at: 0 })
    const [late] = await appendTo(log, 'r', at(2), { ...append(end), at: 4000 })
    expect([early?.at, late?.at]).toEqual([1000, 4000])
    expect((await log.run('r'))?.endedAt).toBe(4000)
  })

  it('stores for each entry how many raw records had been read', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const inputs = [record('one'), { by: 'server', event: delta('x') } as const, record('two')]
    await log.append('r', at(0), { inputs, events: [start, delta('a'), delta('b'), delta('c')], through: [0, 1, 2, 3] })
    await add(log, 'r', end)
    expect((await readAll(log, 'r')).map(({ rawThrough }) => rawThrough)).toEqual([0, 1, 1, 2, 3])
  })

  it('keeps the maker of each entry, before and after packing', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const inputs = [{ by: 'client', event: delta('c') } as const, record('one'), { by: 'server', event: end } as const]
    const by = ['server', 'client', 'producer', 'producer', 'server'] as const
    const events = [start, delta('c'), delta('p'), delta('q'), delta('s')]
    const appended = await appendTo(log, 'r', at(0), { inputs, events, through: [0, 1, 2, 2, 3], by })
    await add(log, 'r', delta('p'))
    await log.append('r', at(6), { ...append(end), by: ['server'] })
    const entries = await readAll(log, 'r')
    expect(entries.map((entry) => entry.by)).toEqual([
      'server',
      'client',
      undefined,
      undefined,
      'server',
      undefined,
      'server',
    ])
    // An entry of the producer has no such field at all.
    expect(entries.map((entry) => 'by' in entry)).toEqual([true, true, false, false, true, false, true])
    expect(appended).toStrictEqual(entries.slice(0, 5))
    expect((await inputsOf(log, 'r')).slice(0, 3)).toEqual(inputs)
    await log.pack('r')
    expect(await readAll(log, 'r')).toStrictEqual(entries)
  })

  it('refuses events after the end of a run', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    expect(await refusalOf(log.append('r', at(0), append(start, end, delta('late'))))).toBe('run-closed')
    await add(log, 'r', start, end)
    expect(await refusalOf(add(log, 'r', delta('late')))).toBe('run-closed')
    expect(seqsOf(await readAll(log, 'r'))).toEqual([1, 2])
  })

  it('refuses an append at a wrong position, and every operation on a run that does not exist', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    await add(log, 'r', start, delta('a'))
    for (const position of [at(1), at(3), at(0), { ...at(2), afterRaw: 1 }]) {
      expect(await refusalOf(log.append('r', position, append(delta('b'))))).toBe('wrong-position')
    }
    const nodeId = await log.join()
    const operations = [
      log.append('x', at(0), append()),
      log.acquire('x', nodeId),
      log.release('x', 0),
      log.tell('x', { command: { type: 'stop' } }),
      log.commands('x', { after: 0 }),
      log.setFollowing('x', nodeId, true),
      log.pack('x'),
    ]
    expect(new Set(await Promise.all(operations.map(refusalOf)))).toEqual(new Set(['unknown-run']))
    expect(await refusalOf(readAll(log, 'x'))).toBe('unknown-run')
    expect(await refusalOf(inputsOf(log, 'x'))).toBe('unknown-run')
  })

  it('returns the stored entries to a writer that repeats an append because the response was lost', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const odd = { inputs: [record('a'), record('b')], events: [start, delta('\u0000 \ud800 \u2028')] }
    const first = await appendTo(log, 'r', at(0), odd)
    expect(await appendTo(log, 'r', at(0), odd)).toEqual(first)
    const quiet = { inputs: [record('ping')], events: [] }
    await log.append('r', { ...at(2), afterRaw: 2 }, quiet)
    expect(await appendTo(log, 'r', { ...at(2), afterRaw: 2 }, quiet)).toEqual([])
    const last = await appendTo(log, 'r', { ...at(2), afterRaw: 3 }, append(end))
    expect(await appendTo(log, 'r', { ...at(2), afterRaw: 3 }, append(end))).toEqual(last)
    expect(await readAll(log, 'r')).toEqual([...first, ...last])
    expect(await inputsOf(log, 'r')).toEqual([record('a'), record('b'), record('ping')])
  })

  it('returns inputs in order and unchanged', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const texts = [
      'a\u0000b',
      '😀 é \u2028 \u2029',
      '',
      '\ud800 alone',
      '{"a":"\\ud800"}',
      'x'.repeat(1_000_000),
      '\r\n',
    ]
    const inputs = texts.flatMap((text) => [
      record(text),
      record(text.slice(0, 9), 'na\u0000me'),
      { by: 'server', event: delta(text) } as const,
    ])
    for (const input of inputs) {
      await log.append('r', at((await log.run('r'))?.seq ?? 0), { inputs: [input], events: [delta('e')] })
    }
    const many = upFrom(1, 1200).map((n) => record(`record ${n}`))
    await log.append('r', at(inputs.length), { inputs: many, events: [] })
    expect(await inputsOf(log, 'r')).toEqual([...inputs, ...many])
    expect((await log.run('r'))?.rawRecords).toBe(texts.length * 2 + many.length)
  })

  it('does not let a refused append affect others', async () => {
    const log = await bench.open()
    for (const id of ['a', 'b', 'c']) await log.createRun(newRun(id))
    const outcomes = await Promise.allSettled([
      log.append('a', at(0), append(start)),
      log.append('b', at(7), append(start)),
      log.append('b', at(0), { ...append(start), message: foreignMessage }),
      log.append('c', at(0), append(start, end)),
      log.append('c', at(2), append(delta('late'))),
      log.append('a', at(1), append(end)),
    ])
    const isStored = outcomes.map(({ status }) => status === 'fulfilled')
    expect(isStored).toEqual([true, false, false, true, false, true])
    expect(seqsOf(await readAll(log, 'a'))).toEqual([1, 2])
    expect(await log.run('b')).toMatchObject({ seq: 0, state: 'live' })
    expect(await log.run('c')).toMatchObject({ seq: 2, state: 'ended' })
  })

  it('never interleaves two writers inside one append', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    const write = async (writer: string) => {
      for (let nth = 0; nth < 15; ) {
        const afterSeq = (await log.run('r'))?.seq ?? 0
        const events = upFrom(1, 3).map((n) => delta(`${writer}${nth}.${n}`))
        if ((await refusalOf(log.append('r', at(afterSeq), append(...events)))) === 'not refused') nth++
      }
    }
    await Promise.all([write('a'), write('b')])
    const texts = (await readAll(log, 'r')).map(({ event }) => ('text' in event ? event.text : ''))
    expect(texts).toHaveLength(90)
    for (let at = 0; at < 90; at += 3) {
      const [first = ''] = texts.slice(at, at + 1)
      const stem = first.slice(0, -1)
      expect(texts.slice(at, at + 3)).toEqual([`${stem}1`, `${stem}2`, `${stem}3`])
    }
  })

  it('keeps each run in order while 32 runs are written at once', async () => {
    const log = await bench.open()
    const ids = upFrom(1, 32).map((n) => `run${n}`)
    await Promise.all(ids.map((id) => log.createRun(newRun(id))))
    const appends = upFrom(0, 199).map((n) => ({ id: ids[n % 32] as string, afterSeq: Math.floor(n / 32) }))
    const appended = await Promise.all(
      appends.map(({ id, afterSeq }) => log.append(id, at(afterSeq), append(delta(`${id}:${afterSeq + 1}`)))),
    )
    expect(appended.map(({ after }) => after + 1)).toEqual(appends.map(({ afterSeq }) => afterSeq + 1))
    for (const id of ids) {
      const entries = await readAll(log, id)
      expect(entries.map(({ event }) => event)).toEqual(entries.map(({ seq }) => delta(`${id}:${seq}`)))
      expect(entries).toHaveLength(appends.filter((one) => one.id === id).length)
    }
  })
}

const foreignMessage = { id: 'm', chatId: 'elsewhere', role: 'assistant', content: '', metadata: {} } as const
