import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { EntryLines } from '../entry-lines.ts'
import { LogError } from '../errors.ts'
import type { Log, LoggedInput } from '../log.ts'
import { joined, linesIn, MOST_CHARACTERS, MOST_ENTRIES } from '../sqlite/entry-rows.ts'
import type { Connections } from './connections.ts'
import { type InputColumns, inputsIn } from './input-pages.ts'
import { storable } from './text.ts'

/** Reads and packs the rows of entries and inputs. */
export interface Pages extends Pick<Log, 'inputs' | 'pack'> {
  /** The position of the run, and its number; undefined if there is no such run. */
  head(runId: string): Promise<{ readonly number: number; readonly seq: number; readonly isEnded: boolean } | undefined>
  /** Some of the entries after one. */
  page(runId: string, after: number): Promise<EntryLines>
  /** Entries `after` + 1 to `after` + `count`, as far as they are stored. */
  lines(run: number, after: number, count: number): Promise<readonly string[]>
}

interface EntryColumns {
  readonly first_seq: number
  readonly last_seq: number
  readonly lines: string | null
  readonly packed: Buffer | null
}

const COLUMNS = 'first_seq, last_seq, lines, packed'

/** How many bytes of rows make a page: a viewer that does not read keeps one in memory. A packed row is a page. */
const PAGE_BYTES = 64_000

const HEAD = { name: 'head', text: "SELECT number, seq, state = 'ended' AS ended FROM runs WHERE id = $1" }
const PAGE = {
  name: 'page',
  text: `SELECT ${COLUMNS} FROM (
      SELECT *, sum(size) OVER (ORDER BY last_seq) - size AS before FROM (
        SELECT ${COLUMNS}, coalesce(octet_length(lines), ${PAGE_BYTES}) AS size FROM entries
        WHERE run = (SELECT number FROM runs WHERE id = $1) AND last_seq > $2 ORDER BY last_seq LIMIT 100) rows) sized
    WHERE before < ${PAGE_BYTES} ORDER BY last_seq`,
}
const BETWEEN = {
  name: 'between',
  text: `SELECT ${COLUMNS} FROM entries WHERE run = $1 AND last_seq > $2 AND first_seq <= $3 ORDER BY last_seq`,
}
const UNPACKED = {
  name: 'unpacked',
  text: `SELECT ${COLUMNS} FROM entries WHERE run = $1 AND last_seq > $2 AND packed IS NULL ORDER BY last_seq LIMIT 200`,
}
/** The last of the rows is changed: to delete and to insert the same key in one statement fails. */
const PACK = {
  name: 'pack',
  text: `WITH gone AS (DELETE FROM entries WHERE run = $1 AND last_seq >= $2 AND last_seq < $3)
    UPDATE entries SET first_seq = $2, lines = NULL, packed = $4 WHERE run = $1 AND last_seq = $3 AND packed IS NULL`,
}
const INPUTS = {
  name: 'inputs',
  text: `SELECT last_position, heads, bodies FROM (
      SELECT *, sum(octet_length(bodies)) OVER (ORDER BY last_position) - octet_length(bodies) AS before FROM (
        SELECT * FROM inputs WHERE run = $1 AND last_position > $2 ORDER BY last_position LIMIT 100) rows) sized
    WHERE before < ${2 * PAGE_BYTES} ORDER BY last_position`,
}

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]

export function createPages({ read, write }: Connections): Pages {
  async function head(runId: string) {
    const [row] = await read<{ number: number; seq: number; ended: boolean }>(HEAD, [storable(runId)])
    return row && { number: row.number, seq: row.seq, isEnded: row.ended }
  }

  async function find(runId: string) {
    const found = await head(runId)
    if (found === undefined) throw new LogError('unknown-run', runId)
    return found
  }

  async function* inputs(runId: string): AsyncGenerator<readonly LoggedInput[]> {
    const { number } = await find(runId)
    for (let last = 0; ; ) {
      const rows = await read<InputColumns>(INPUTS, [number, last])
      const end = rows.at(-1)
      if (end === undefined) break
      yield rows.flatMap(inputsIn)
      last = end.last_position
    }
    // A run that was removed between two pages must not look like one that has no more inputs.
    if ((await head(runId))?.number !== number) throw new LogError('unknown-run', runId)
  }

  return {
    head,
    inputs,
    async page(runId, after) {
      const from = Math.max(after, 0)
      return new EntryLines(from, await linesBehind(await read<EntryColumns>(PAGE, [storable(runId), from]), from))
    },
    async lines(run, after, count) {
      const rows = await read<EntryColumns>(BETWEEN, [run, after, after + count])
      return (await linesBehind(rows, after)).slice(0, count)
    },
    async pack(runId) {
      const { number, isEnded } = await find(runId)
      if (!isEnded) throw new LogError('run-live', runId)
      for (let last = 0; ; ) {
        const rows = gathered(await read<EntryColumns>(UNPACKED, [number, last]))
        const [first, end] = [rows[0], rows.at(-1)]
        if (first === undefined || end === undefined) return
        const packed = await deflate(joined(rows.map(({ lines }) => lines ?? '')))
        await write(runId, PACK, [number, first.first_seq, end.last_seq, packed])
        last = end.last_seq
      }
    },
  }
}

const textOf = async ({ lines, packed }: EntryColumns): Promise<string> =>
  packed === null ? (lines ?? '') : (await inflate(packed)).toString()

/** The lines of consecutive rows behind an entry. The first row may begin before it. */
async function linesBehind(rows: readonly EntryColumns[], after: number): Promise<readonly string[]> {
  const [first] = rows
  if (first === undefined) return []
  const lines = (await Promise.all(rows.map(textOf))).flatMap(linesIn)
  return lines.slice(Math.max(0, after - first.first_seq + 1))
}

/** As many rows as one packed row holds, without a gap. */
function gathered(rows: readonly EntryColumns[]): readonly EntryColumns[] {
  let [entries, characters, count] = [0, 0, 0]
  for (const { first_seq, last_seq, lines } of rows) {
    const before = rows[count - 1]
    entries += last_seq - first_seq + 1
    characters += (lines?.length ?? 0) + 1
    const fits = entries <= MOST_ENTRIES && characters <= MOST_CHARACTERS && first_seq === (before?.last_seq ?? 0) + 1
    if (before !== undefined && !fits) break
    count++
  }
  return rows.slice(0, count)
}
