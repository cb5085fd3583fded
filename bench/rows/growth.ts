import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamEvent } from '@millrace/core/events'
import type { Log } from '@millrace/server/log/log'
import { postgres } from '@millrace/server/log/postgres'
import { sqlite } from '@millrace/server/log/sqlite'
import { postgresAbsence, startPostgres } from '@millrace/testkit/repository/servers/postgres'
import type { Figure, Row } from '../row.ts'
import { seeded, words } from '../streams.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
/** On a server the last size takes minutes. */
const SHORT = 100_000
/** Appends that are measured at each size, and the entries in each. */
const APPENDS = 300
const ENTRIES = 10
/** Entries of an append that only makes the run longer. */
const FILLED = 1_000
const ROUNDS = 3

const random = seeded(12)
const eventsOf = (count: number): StreamEvent[] =>
  Array.from({ length: count }, () => ({ type: 'block-delta', blockId: 'b', text: words(random, 5) }))
const [few, many] = [eventsOf(ENTRIES), eventsOf(FILLED)]

function appendTo(log: Log, runId: string, afterSeq: number, events: readonly StreamEvent[]) {
  const inputs = events.map((event) => ({ by: 'producer', text: JSON.stringify(event), name: undefined }) as const)
  return log.append(runId, { epoch: 0, afterSeq, afterRaw: afterSeq }, { inputs, events })
}

type Clock = () => number

function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
const wallMicros = () => performance.now() * 1_000

/** Microseconds for one entry, from the hand-over to the reader that follows the run, at each size of the run. */
async function costs(log: Log, runId: string, sizes: readonly number[], clock: Clock): Promise<number[]> {
  await log.createRun({ id: runId, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  const found: number[] = []
  let seq = 0
  for (const size of sizes) {
    for (; seq < size; seq += FILLED) await appendTo(log, runId, seq, many)
    // What the long appends have left in the journal is merged into the file by the first short ones.
    for (let nth = 0; nth < APPENDS; nth++, seq += ENTRIES) await appendTo(log, runId, seq, few)
    const reader = log.lines(runId, { after: seq, live: true })[Symbol.asyncIterator]()
    const begun = clock()
    for (let nth = 0; nth < APPENDS; nth++) {
      const next = reader.next()
      await appendTo(log, runId, seq, few)
      await next
      seq += ENTRIES
    }
    found.push((clock() - begun) / (APPENDS * ENTRIES))
    await reader.return?.()
  }
  return found
}

async function figuresOf(log: Log, row: string, sizes: readonly number[], clock: Clock): Promise<Figure[]> {
  const rounds: number[][] = []
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await costs(log, `run ${round}`, sizes, clock))
  // The first round warms up. The least of each size: nothing makes an append cheaper than it is.
  const least = sizes.map((_, at) => Math.min(...rounds.slice(1).map((found) => found[at] as number)))
  return sizes.map((size, at): Figure => {
    const what = `at ${size.toLocaleString('en')} entries`
    const value = (least[at] as number) / (least[0] as number)
    return at === 0
      ? { row, what, value: least[0] as number, unit: ' µs' }
      : { row, what, value, bound: 1.5, isHard: true }
  })
}

export const growth: Row = {
  title: 'one long run in the log, CPU per entry from append to reader (floor: the run’s first thousand entries)',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
    const log = await sqlite.open({ folder })
    try {
      return await figuresOf(log, '6', SIZES, cpuMicros)
    } finally {
      await log.close()
      rmSync(folder, { recursive: true })
    }
  },
}

/** Wall time: the server's CPU is not this process's. */
export const growthPostgres: Row = {
  title: `one long run in PostgreSQL, wall time per entry from append to reader (floor: the run’s first thousand entries)${postgresAbsence ? `: skipped, ${postgresAbsence}` : ''}`,
  async run(isLong) {
    if (postgresAbsence !== undefined) return []
    await using server = await startPostgres()
    const log = await postgres.open({ folder: '', url: server.url })
    try {
      return await figuresOf(
        log,
        '6p',
        SIZES.filter((size) => isLong || size <= SHORT),
        wallMicros,
      )
    } finally {
      await log.close()
    }
  },
}
