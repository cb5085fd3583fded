import { getParser } from '@millrace/core/parse'
import { createReader, READER_VERSION } from '@millrace/core/read'
import { recordOf } from '@millrace/core/source/source'
import { createFanOut } from '@millrace/server/deliver/fan-out'
import { ENOUGH, follow } from '@millrace/server/deliver/follow'
import type { Log, StoredRun } from '@millrace/server/log/log'
import { memory } from '@millrace/server/log/memory'
import { type Budget, verifyRun } from '@millrace/server/verify/verify'
import { describe, expect, it } from 'vitest'

const FORMAT = 'agent-lines'
const textOf = (content: string) => JSON.stringify({ type: 'text', data: { content } })
const DONE = '{"type":"done","data":{}}'

/** Logs a run of these records, `perAppend` at a time, ended unless `isOpen`. */
async function fill(log: Log, runId: string, texts: readonly string[], { perAppend = 2, isOpen = false } = {}) {
  const parser = getParser(FORMAT)
  const versions = { parserVersion: parser.version, readerVersion: READER_VERSION }
  await log.createRun({ id: runId, threadId: 't', format: FORMAT, ...versions, attempt: 1 })
  const reader = createReader(parser)
  let afterSeq = 0
  for (let at = 0; at < texts.length; at += perAppend) {
    const part = texts.slice(at, at + perAppend)
    const events = part.flatMap((text) => reader.push(recordOf(text, undefined)))
    if (!isOpen && at + perAppend >= texts.length) events.push(...reader.end())
    const inputs = part.map((text) => ({ by: 'producer' as const, text, name: undefined }))
    await log.append(runId, { epoch: 0, afterSeq }, { inputs, events })
    afterSeq += events.length
  }
}

const open = () => memory.open({ folder: '', now: () => 5 })
const texts = [textOf('one'), textOf('two'), textOf('three'), DONE]

async function verdictOn(log: Log, runId: string, budget?: Budget) {
  return verifyRun({ log, fanOut: createFanOut(log) }, (await log.run(runId)) as StoredRun, budget)
}

/** A log whose next `count` reads of inputs fail. */
function failing(log: Log, count: number): Log {
  let left = count
  return {
    ...log,
    inputs(runId) {
      if (left-- > 0) throw new Error('no inputs')
      return log.inputs(runId)
    },
  }
}

describe('a verification', () => {
  it('gives the same the second and the third time, alone and with those of other runs', async () => {
    const log = await open()
    for (const runId of ['a', 'b', 'c']) await fill(log, runId, [textOf(runId), ...texts])
    const alone = [await verdictOn(log, 'a'), await verdictOn(log, 'b'), await verdictOn(log, 'c')]
    expect(alone.map(({ ok, runId }) => `${runId} ${ok}`)).toEqual(['a true', 'b true', 'c true'])
    expect(new Set(alone.map(({ foldHash }) => foldHash)).size).toBe(3)
    const together = await Promise.all(['a', 'b', 'c', 'c', 'b', 'a'].map((runId) => verdictOn(log, runId)))
    expect(together).toEqual([...alone, ...alone.toReversed()])
  })

  it('reads a run again each time: what was true before need not be true now', async () => {
    const log = await open()
    await fill(log, 'r', texts)
    const lossy: Log = { ...log, inputs: async function* () {} }
    const stages = { log: { ...log }, fanOut: createFanOut(log) }
    const run = (await log.run('r')) as StoredRun
    expect((await verifyRun(stages, run)).ok).toBe(true)
    stages.log.inputs = lossy.inputs
    expect((await verifyRun(stages, run)).ok).toBe(false)
    stages.log.inputs = log.inputs
    expect((await verifyRun(stages, run)).ok).toBe(true)
  })

  it.each([1, 2, 3])(
    'that fails %i times leaves nothing behind for the next, of this or another run',
    async (count) => {
      const log = await open()
      await fill(log, 'r', texts)
      await fill(log, 's', texts)
      const broken = failing(log, count)
      for (let nth = 1; nth <= count; nth++) {
        const [failed, other] = await Promise.allSettled([verdictOn(broken, 'r'), verdictOn(log, 's')])
        expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no inputs' } })
        expect(other).toMatchObject({ value: { ok: true, runId: 's' } })
      }
      expect(await verdictOn(broken, 'r')).toMatchObject({ ok: true, reread: 'same' })
    },
  )

  it.each([false, true])(
    'compares runs of many thousand entries, whichever stream comes first (open: %s)',
    async (isOpen) => {
      const log = await open()
      const many = Array.from({ length: 6_000 }, (_, index) => textOf(`${index}`))
      await fill(log, 'r', [...many, DONE], { perAppend: 9_000, isOpen })
      const whole = async function* () {
        const inputs = []
        for await (const page of log.inputs('r')) inputs.push(...page)
        yield inputs
      }
      for (const each of [log, { ...log, inputs: whole }]) {
        expect(await verdictOn(each, 'r')).toMatchObject({ ok: true, reread: 'same', rawRecords: 6_001 })
      }
    },
  )

  it('of a run that has grown meanwhile is another than that of its beginning', async () => {
    const log = await open()
    await fill(log, 'r', texts, { isOpen: true })
    const begun = (await log.run('r')) as StoredRun
    const stages = { log, fanOut: createFanOut(log) }
    const first = verifyRun(stages, begun)
    const event = { type: 'control', action: 'stop' } as const
    const added = { inputs: [{ by: 'server', event }], events: [event], by: ['server'] } as const
    await log.append('r', { epoch: 0, afterSeq: begun.seq }, added)
    const second = verifyRun(stages, (await log.run('r')) as StoredRun)
    expect([(await first).entries, (await second).entries]).toEqual([begun.seq, begun.seq + 1])
  })

  it('of a run that is exactly as large as its budget is complete', async () => {
    const log = await open()
    await fill(log, 'r', texts)
    const { entries } = await verdictOn(log, 'r')
    const generous = { entries: 1e9, bytes: 1e9, milliseconds: 60_000 }
    let size = 0
    const fanOut = createFanOut(log)
    const signal = new AbortController().signal
    await follow(fanOut, { runId: 'r', threadId: 't', wire: 'native', signal }, async (batch) => {
      size += batch.sse().byteLength
      return batch.through >= entries ? ENOUGH : undefined
    })
    const budgets = [
      [{ ...generous, entries }, true],
      [{ ...generous, entries: entries - 1 }, false],
      [{ ...generous, bytes: size }, true],
      [{ ...generous, bytes: size - 1 }, false],
    ] as const
    for (const [budget, isComplete] of budgets) {
      expect(await verdictOn(log, 'r', budget), JSON.stringify(budget)).toMatchObject({ ok: isComplete, isComplete })
    }
  })
})
