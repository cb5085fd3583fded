import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { StreamEvent } from '@millrace/core/events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Log } from './log.ts'
import { openForReading } from './sqlite/database.ts'
import { type EntryColumns, entriesOf, MOST_CHARACTERS, MOST_ENTRIES, slicesOf, textOf } from './sqlite/entry-rows.ts'
import { createReads, type Reads } from './sqlite/reads.ts'
import { sqlite } from './sqlite.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The size limit of a page; a single row may be larger. */
const PAGE_CHARACTERS = 64_000
const PAGE_ENTRIES = 500

const textDelta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })
/** No two texts are alike, so that packing has work to do. */
const words = (length: number, seed: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(97 + ((seed + index * index) % 26))).join('')

/** Appends of all sizes: single small events, many at once, more than fit into a row, and one larger than a row. */
const appends: readonly (readonly StreamEvent[])[] = [
  ...Array.from({ length: 300 }, (_, nth) => [textDelta(words(700, nth))]),
  Array.from({ length: 2_500 }, (_, nth) => textDelta(words(5, nth))),
  Array.from({ length: 90 }, (_, nth) => textDelta(words(9_000, nth))),
  [textDelta('x'.repeat(300_000))],
  ...Array.from({ length: 40 }, (_, nth) => [textDelta(words(40_000, nth))]),
  [{ type: 'run-end', outcome: 'success' }],
]
const events = appends.flat()

async function logged(): Promise<{ readonly log: Log; readonly database: DatabaseSync }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-pages-'))
  folders.push(folder)
  const log = await sqlite.open({ folder })
  await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  let afterSeq = 0
  for (const batch of appends) {
    await log.append('r', { epoch: 0, afterSeq }, { inputs: [], events: batch })
    afterSeq += batch.length
  }
  return { log, database: openForReading(folder) }
}

function pagesOf(reads: Reads): readonly (readonly EntryColumns[])[] {
  const pages: (readonly EntryColumns[])[] = []
  for (let after = 0; after < events.length; ) {
    const page = reads.page('r', after)
    after = page.at(-1)?.last_seq ?? Number.POSITIVE_INFINITY
    pages.push(page)
  }
  return pages
}

const charactersOf = (rows: readonly EntryColumns[]) => rows.reduce((sum, row) => sum + textOf(row.events).length, 0)
const countOf = (rows: readonly EntryColumns[]) => rows.reduce((sum, row) => sum + row.last_seq - row.first_seq + 1, 0)
const isSmall = (row: EntryColumns) =>
  countOf([row]) === 1 || (countOf([row]) <= MOST_ENTRIES && charactersOf([row]) <= MOST_CHARACTERS)

describe('the memory of the sqlite log', () => {
  it.each([false, true])('holds one small page of small rows at a time; packed: %s', async (isPacked) => {
    const { log, database } = await logged()
    if (isPacked) await log.pack('r')
    const pages = pagesOf(createReads(database))
    const rows = pages.flat()
    expect(rows.filter((row) => !isSmall(row))).toEqual([])
    for (const page of pages.filter(({ length }) => length > 1)) {
      expect(charactersOf(page)).toBeLessThanOrEqual(PAGE_CHARACTERS)
      expect(countOf(page)).toBeLessThanOrEqual(PAGE_ENTRIES)
    }
    expect(rows.flatMap(entriesOf).map(({ event }) => event)).toEqual(events)
    if (isPacked) expect(rows.length).toBeLessThan(100)
    database.close()
    await log.close()
  })

  it('fills a row to the last character', () => {
    const frame = JSON.stringify(textDelta('')).length + 2
    const half = textDelta('x'.repeat(MOST_CHARACTERS / 2 - frame))
    const rest = textDelta('x'.repeat(MOST_CHARACTERS / 2 - frame + 1))
    expect(slicesOf([half, rest]).map((slice) => slice.events.length)).toEqual([MOST_CHARACTERS])
    expect(slicesOf([half, rest, textDelta('')])).toHaveLength(2)
    expect(slicesOf([rest, rest])).toHaveLength(2)
  })
})
