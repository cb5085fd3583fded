import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Append, Log, LoggedInput } from '../log.ts'
import { sqlite } from '../sqlite.ts'
import { fileOf, openForReading } from './database.ts'
import { linesIn } from './entry-rows.ts'
import { createReads, type Reads } from './reads.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-recent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openLog(folder: string): Promise<Log> {
  const log = await sqlite.open({ folder, now: () => 1 })
  onTestFinished(() => log.close())
  return log
}

/** Another connection that reads the same file. */
function peek(folder: string) {
  const database = openForReading(folder)
  onTestFinished(() => database.close())
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
  return { reads: createReads(database), count }
}

const newRun = (log: Log, id: string) =>
  log.createRun({ id, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
const wordOf = (nth: number, length: number): StreamEvent => ({
  type: 'block-delta',
  blockId: 'b',
  text: `${nth} `.padEnd(length, 'word '),
})
const contentOf = (nth: number, events: number, inputs: number, length: number): Append => ({
  events: Array.from({ length: events }, () => wordOf(nth, length)),
  inputs: Array.from({ length: inputs }, (_, at) => ({
    by: 'producer',
    text: `${nth}/${at}`.padEnd(length),
    name: 'n',
  })),
})

/** Small and large appends, with and without entries or inputs. */
const mixed: readonly Append[] = Array.from({ length: 60 }, (_, nth) =>
  contentOf(nth, [1, 0, 3, 1][nth % 4] as number, [1, 2, 0, 3][nth % 4] as number, nth % 9 === 7 ? 9_000 : 40),
)

/** More than is kept unmerged. A later request is answered after the merge. */
async function forceMerge(log: Log): Promise<void> {
  await newRun(log, 'other')
  for (let nth = 0; nth < 40; nth++) await log.append('other', { epoch: 0, afterSeq: nth }, contentOf(nth, 1, 1, 4_000))
  await log.createThread({ id: 'later' })
}

function linesBehind(reads: Reads, runId: string, after: number): readonly string[] {
  const page = linesIn(reads.page(runId, after))
  return page.length === 0 ? [] : [...page, ...linesBehind(reads, runId, after + page.length)]
}

function inputsBehind(reads: Reads, runId: string, after: number): readonly LoggedInput[] {
  const { inputs, last } = reads.inputs(runId, after)
  return inputs.length === 0 ? [] : [...inputs, ...inputsBehind(reads, runId, last)]
}

async function append(log: Log, runId: string, contents: readonly Append[]) {
  const [lines, inputs]: [string[], LoggedInput[]] = [[], []]
  for (const content of contents) {
    lines.push(...(await log.append(runId, { epoch: 0, afterSeq: lines.length }, content)).lines)
    inputs.push(...content.inputs)
  }
  return { lines, inputs }
}

describe('recent appends', () => {
  it('of many runs share the pages of the file', async () => {
    const folder = newFolder()
    const log = await openLog(folder)
    const runIds = Array.from({ length: 64 }, (_, nth) => `run ${nth}`)
    for (const id of runIds) await newRun(log, id)
    const appendToAll = (nth: number) =>
      Promise.all(runIds.map((id) => log.append(id, { epoch: 0, afterSeq: nth }, contentOf(nth, 1, 1, 200))))
    const written = () => statSync(`${fileOf(folder)}-wal`).size / 4096
    for (let nth = 0; nth < 3; nth++) await appendToAll(nth)
    const before = written()
    await appendToAll(3)
    expect(written() - before).toBeGreaterThan(0)
    expect(written() - before).toBeLessThan(runIds.length / 2)
  })

  it('are read the same at every cursor before and after they are merged', async () => {
    const folder = newFolder()
    const log = await openLog(folder)
    const { reads, count } = peek(folder)
    await newRun(log, 'r')
    const { lines, inputs } = await append(log, 'r', mixed)
    const expectAll = () => {
      for (let after = 0; after <= lines.length; after++)
        expect(linesBehind(reads, 'r', after)).toEqual(lines.slice(after))
      for (let after = 0; after <= inputs.length; after++)
        expect(inputsBehind(reads, 'r', after)).toEqual(inputs.slice(after))
    }
    expectAll()
    await forceMerge(log)
    expectAll()
    expect(count('appends')).toBeLessThan(40)
  })

  it('are merged although the log is opened again and again', async () => {
    const folder = newFolder()
    const { length } = Array.from({ length: 12 })
    for (let nth = 0; nth < length; nth++) {
      const log = await sqlite.open({ folder })
      await newRun(log, `run ${nth}`)
      await append(
        log,
        `run ${nth}`,
        Array.from({ length: 10 }, () => contentOf(nth, 1, 1, 2_000)),
      )
      await log.close()
    }
    expect(peek(folder).count('appends')).toBeLessThan((length - 1) * 10)
  })

  it('are recognised when they are repeated, merged or not', async () => {
    const log = await openLog(newFolder())
    await newRun(log, 'r')
    const contents = Array.from({ length: 9 }, (_, nth) => contentOf(nth, 2, 1, 40))
    const { lines } = await append(log, 'r', contents)
    const repeat = async () => {
      for (const [nth, content] of contents.entries()) {
        const repeated = await log.append('r', { epoch: 0, afterSeq: 2 * nth }, content)
        expect(repeated.lines).toEqual(lines.slice(2 * nth, 2 * nth + 2))
      }
      const other = { ...contentOf(1, 2, 1, 41) }
      await expect(log.append('r', { epoch: 0, afterSeq: 2 }, other)).rejects.toMatchObject({ code: 'wrong-position' })
    }
    await repeat()
    await forceMerge(log)
    await repeat()
  })

  it('are packed with the rest of their run, and leave those of other runs alone', async () => {
    const folder = newFolder()
    const log = await openLog(folder)
    const { reads, count } = peek(folder)
    for (const id of ['r', 'other']) await newRun(log, id)
    const end: Append = { events: [{ type: 'run-end', outcome: 'success' }], inputs: [] }
    const { lines, inputs } = await append(log, 'r', [...mixed, end])
    const others = await append(log, 'other', mixed.slice(0, 7))
    await log.pack('r')
    expect([count('entries'), count('appends')]).toEqual([1, 7])
    expect(linesBehind(reads, 'r', 0)).toEqual(lines)
    expect(inputsBehind(reads, 'r', 0)).toEqual(inputs)
    expect(linesIn(reads.page('other', 0))).toEqual(others.lines)
  })
})
