import { createHash } from 'node:crypto'
import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import { getParser, registerParser } from '@millrace/core/parse'
import { createReader, READER_VERSION } from '@millrace/core/read'
import { getSource } from '@millrace/core/source'
import { createFanOut, type FanOut } from '@millrace/server/deliver/fan-out'
import { EntryLines } from '@millrace/server/log/entry-lines'
import type { Log, NewRun, StoredRun } from '@millrace/server/log/log'
import { memory } from '@millrace/server/log/memory'
import { hashOfJson } from '@millrace/server/verify/hash'
import { type Budget, verifyRun } from '@millrace/server/verify/verify'
import { describe, expect, it } from 'vitest'

const FORMAT = 'agent-lines'
const line = (content: string) => JSON.stringify({ type: 'text', data: { content } })
const LINES = [line('one'), line('two \ud800'), line('three'), '{"type":"done","data":{}}']

/** A run as `ingest` logs it, in two appends. */
async function logged({ isEnded = true, format = FORMAT, ...other }: Partial<NewRun> & { isEnded?: boolean } = {}) {
  const log = await memory.open({ folder: '' })
  const versions = { parserVersion: getParser(format).version, readerVersion: READER_VERSION, ...other }
  const { run } = await log.createRun({ id: 'r', threadId: 't', format, ...versions, attempt: 1 })
  const reader = createReader(getParser(format))
  const records = getSource('json-lines')().feed(new TextEncoder().encode(`${LINES.join('\n')}\n`))
  let afterSeq = 0
  for (const half of [records.slice(0, 2), records.slice(2)]) {
    const isLast = half.length > 0 && half.at(-1) === records.at(-1)
    const events = half.flatMap((record) => reader.push(record))
    if (isLast && isEnded) events.push(...reader.end())
    const inputs = half.map(({ text, name }) => ({ by: 'producer' as const, text, name }))
    await log.append(run.id, { epoch: 0, afterSeq }, { inputs, events })
    afterSeq += events.length
  }
  return log
}

async function verdictOn(log: Log, fanOut: FanOut = createFanOut(log), budget?: Budget) {
  return verifyRun({ log, fanOut }, (await log.run('r')) as StoredRun, budget)
}

const nothing: StreamEvent = { type: 'status', message: '', level: 'info' }

/** A log whose entries are changed when they are read; in its lines, one that is left out is replaced. */
function changed(log: Log, change: (entry: Entry) => Entry | undefined): Log {
  return {
    ...log,
    async *read(runId, options) {
      for await (const batch of log.read(runId, options)) yield batch.flatMap((entry) => change(entry) ?? [])
    },
    async *lines(runId, options) {
      for await (const added of log.lines(runId, options)) {
        const entries = added.entries().map((entry) => change(entry) ?? { ...entry, event: nothing })
        yield new EntryLines(
          added.after,
          entries.map((entry) => JSON.stringify(entry)),
        )
      }
    },
  }
}

describe('a verification', () => {
  it('accepts a run whose log, inputs, fold and delivery match', async () => {
    const log = await logged()
    const { seq = 0 } = (await log.run('r')) ?? {}
    expect(await verdictOn(log)).toMatchObject({
      ok: true,
      isComplete: true,
      entries: seq,
      rawRecords: 4,
      reread: 'same',
      problems: [],
    })
  })

  it('accepts a live run up to its last entry', async () => {
    expect(await verdictOn(await logged({ isEnded: false }))).toMatchObject({ ok: true, reread: 'same', state: 'live' })
  })

  it('compares a live run up to its position at the time of the request', async () => {
    const log = await logged({ isEnded: false })
    const run = (await log.run('r')) as StoredRun
    const reader = createReader(getParser(FORMAT))
    const inputs = [{ by: 'producer' as const, text: LINES[0] ?? '', name: undefined }]
    const [record] = getSource('json-lines')().feed(new TextEncoder().encode(`${LINES[0]}\n`))
    const events = record === undefined ? [] : reader.push(record)
    await log.append('r', { epoch: 0, afterSeq: run.seq }, { inputs, events })
    expect(await verifyRun({ log, fanOut: createFanOut(log) }, run)).toMatchObject({ ok: true, entries: run.seq })
  })

  it('finds an entry that differs from its inputs', async () => {
    const log = changed(await logged(), (entry) =>
      entry.event.type === 'block-delta' && entry.event.text === 'one'
        ? { ...entry, event: { ...entry.event, text: 'other' } }
        : entry,
    )
    const { ok, reread, problems } = await verdictOn(log)
    expect({ ok, reread }).toEqual({ ok: false, reread: 'different' })
    expect(problems).toEqual([expect.stringMatching(/differs from the log at entry \d+/)])
  })

  it('finds a missing entry, and one too many', async () => {
    const missing = changed(await logged(), (entry) => (entry.seq === 3 ? undefined : entry))
    expect((await verdictOn(missing)).problems[0]).toBe('Entry 4 is not where its number says.')
    const log = await logged({ isEnded: false })
    const short: Log = {
      ...log,
      async *inputs(runId) {
        for await (const batch of log.inputs(runId)) yield batch.slice(0, 1)
      },
    }
    expect(await verdictOn(short)).toMatchObject({ ok: false, reread: 'different', rawRecords: 1 })
  })

  it.each([1, 2, 3])('finds %i entries too many at the end', async (count) => {
    const log = await logged({ isEnded: false })
    const { seq = 0 } = (await log.run('r')) ?? {}
    const events = Array.from({ length: count }, () => ({ type: 'status', message: 'x', level: 'info' }) as const)
    await log.append('r', { epoch: 0, afterSeq: seq }, { inputs: [], events })
    expect(await verdictOn(log)).toMatchObject({ ok: false, reread: 'different' })
  })

  it('finds an entry that is lost in delivery', async () => {
    const log = await logged()
    const lossy = createFanOut(changed(log, (entry) => (entry.event.type === 'block-delta' ? undefined : entry)))
    const { ok, problems } = await verdictOn(log, lossy)
    expect({ ok, problems }).toEqual({ ok: false, problems: ['What is delivered folds to something else.'] })
  })

  it('does not compare the inputs of a run that another version has read', async () => {
    for (const version of [{ parserVersion: 10_000 }, { readerVersion: 10_000 }, { readerVersion: undefined }]) {
      const log = await logged(version as Partial<NewRun>)
      expect(await verdictOn(log)).toMatchObject({ ok: true, reread: 'read-by-other-version', rawRecords: 4 })
    }
  })

  it('reads with a parser that was registered in this process', async () => {
    const remove = registerParser('added', { ...getParser(FORMAT), version: 77 })
    try {
      expect(await verdictOn(await logged({ format: 'added' }))).toMatchObject({ ok: true, reread: 'same' })
    } finally {
      remove()
    }
  })

  it.each([
    { entries: 1, bytes: 1e9, milliseconds: 60_000 },
    { entries: 1e9, bytes: 1, milliseconds: 60_000 },
    { entries: 1e9, bytes: 1e9, milliseconds: 0 },
  ])('reports that the run exceeds its budget: %o', async (budget) => {
    const log = await logged()
    const { ok, isComplete, problems } = await verdictOn(log, createFanOut(log), budget)
    expect({ ok, isComplete }).toEqual({ ok: false, isComplete: false })
    expect(problems).toEqual([expect.stringContaining('too large to be verified whole')])
  })

  it('runs once for concurrent requests of the same run', async () => {
    const log = await logged()
    let reads = 0
    const counting: Log = {
      ...log,
      inputs(runId) {
        reads++
        return log.inputs(runId)
      },
    }
    const verdicts = await Promise.all([verdictOn(counting), verdictOn(counting), verdictOn(counting)])
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(reads).toBe(1)
  })

  it('holds no more of one stream than the other lags behind', async () => {
    const log = await logged()
    let ahead = 0
    let most = 0
    const many = Array.from({ length: 200 }, (_, index) => index)
    const paged: Log = {
      ...log,
      async *inputs() {
        for (const _ of many) {
          ahead++
          most = Math.max(most, Math.abs(ahead))
          yield [{ by: 'producer' as const, text: LINES[0] ?? '', name: undefined }]
        }
      },
      async *read() {
        for (const index of many) {
          ahead--
          most = Math.max(most, Math.abs(ahead))
          const event = { type: 'status', message: 'x', level: 'info' } as const
          yield [{ seq: index + 1, at: 0, event, rawThrough: 0 }]
        }
      },
    }
    const run = { ...((await log.run('r')) as StoredRun), seq: 200 }
    await verifyRun({ log: paged, fanOut: createFanOut(log) }, run)
    expect(most).toBeLessThan(10)
  })
})

describe('the hash of a snapshot', () => {
  it('is the hash of its JSON, for any content', () => {
    const value = {
      text: 'é😀\ud800"\\\u0001',
      none: undefined,
      list: [1, undefined, null, [], {}, [[-0.5, 1e21]]],
      '"key"': { deep: { deeper: [true, false] } },
      long: 'x'.repeat(200_000),
    }
    const whole = createHash('sha256').update(JSON.stringify(value)).digest('hex')
    expect(hashOfJson(value)).toBe(whole)
  })
})
