import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { StreamEvent } from '@millrace/core/events'
import { afterEach, describe, expect, it } from 'vitest'
import { parseLines } from './entry-lines.ts'
import type { Log } from './log.ts'
import { openForReading } from './sqlite/database.ts'
import { type EntryColumns, linesIn, MOST_CHARACTERS, MOST_ENTRIES, slicesOf, textOf } from './sqlite/entry-rows.ts'
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
  ...Array.from({ length: MOST_ENTRIES + 100 }, (_, nth) => [textDelta(words(1, nth))]),
  Array.from({ length: 200 }, (_, nth) => textDelta(words(100, nth))),
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

function pagesOf(reads: Reads): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = []
  for (let after = 0; after < events.length; ) {
    const page = linesIn(reads.page('r', after))
    after = page.length === 0 ? Number.POSITIVE_INFINITY : after + page.length
    pages.push(page)
  }
  return pages
}

const rowsOf = (database: DatabaseSync) =>
  database.prepare('SELECT * FROM entries ORDER BY last_seq').all() as unknown as EntryColumns[]
const isSmall = ({ length: count }: readonly string[], characters: number) =>
  count === 1 || (count <= MOST_ENTRIES && characters <= MOST_CHARACTERS)

describe('the memory of the sqlite log', () => {
  it.each([false, true])('holds one small page of small rows at a time; packed: %s', async (isPacked) => {
    const { log, database } = await logged()
    if (isPacked) await log.pack('r')
    const rows = rowsOf(database).map(textOf)
    expect(rows.filter((row) => !isSmall(linesIn(row), row.length))).toEqual([])
    const pages = pagesOf(createReads(database))
    // A page is one row, or several that are small together.
    for (const page of pages.filter((lines) => !rows.includes(lines.join('\n')))) {
      expect(page.join('\n').length).toBeLessThanOrEqual(PAGE_CHARACTERS)
      expect(page.length).toBeLessThanOrEqual(PAGE_ENTRIES)
    }
    expect(parseLines(pages.flat()).map(({ event }) => event)).toEqual(events)
    if (isPacked) expect(rows.length).toBeLessThan(100)
    database.close()
    await log.close()
  })

  it('fills a row to the last character', () => {
    // A line feed follows each.
    const half = 'x'.repeat(MOST_CHARACTERS / 2 - 1)
    expect(slicesOf([half, half]).map(({ count }) => count)).toEqual([2])
    expect(slicesOf([half, half, ''])).toHaveLength(2)
    expect(slicesOf([half, `${half}x`])).toHaveLength(2)
  })
})
