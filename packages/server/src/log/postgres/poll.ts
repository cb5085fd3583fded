import { setTimeout as sleep } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import type { Leases } from './lease.ts'
import { HAS_EXPIRED } from './runs.ts'
import { restored, storable } from './text.ts'

/** What is asked: everything that this process follows, in one query. */
export interface Question {
  readonly runIds: readonly string[]
  readonly threadIds: readonly string[]
  readonly asksList: boolean
  readonly asksExpired: boolean
}

export interface Polled {
  readonly runs: ReadonlyMap<string, { readonly version: number; readonly seq: number; readonly isEnded: boolean }>
  /** Versions, by id. */
  readonly threads: ReadonlyMap<string, number>
  /** Differs from the last one if a thread has changed. */
  readonly list: string
  readonly hasExpired: boolean
}

/** Asks the database, about once a second: a message of the bus may be lost. */
export interface Poll {
  /** There is something to ask. */
  begin(): void
  /** Asks now. */
  soon(): void
  close(): Promise<void>
}

export interface PollOptions {
  readonly connections: Connections
  readonly leases: Leases
  readonly question: () => Question
  readonly onAnswer: (answer: Polled) => void
  readonly waitClock: () => number | null
}

const EVERY = 1_000

/** Within this time after the end of a lease, in ms, somebody looks whether it was renewed. */
const AFTER_END = 50

/**
 * Transactions become visible in another order than their times: each look at the list goes back further than the last one
 * ended.
 */
const ASK = {
  name: 'poll',
  text: `SELECT 'run' AS kind, id, version, seq, state = 'ended' AS ended FROM runs WHERE id = ANY ($1::text[])
    UNION ALL SELECT 'thread', id, version, 0, false FROM threads WHERE id = ANY ($2::text[])
    UNION ALL SELECT 'listed', id, version, 0, false FROM threads
      WHERE $3::boolean AND changed_at > coalesce($4::timestamptz, clock_timestamp()) - interval '10 seconds'
    UNION ALL SELECT 'deletions', '', deletions, 0, false FROM store WHERE $3::boolean
    UNION ALL SELECT 'clock', clock_timestamp()::text, 0, 0, false`,
}

interface Row {
  readonly kind: 'run' | 'thread' | 'listed' | 'deletions' | 'clock'
  readonly id: string
  readonly version: number
  readonly seq: number
  readonly ended: boolean
}

export function createPoll({ connections, leases, question, onAnswer, waitClock }: PollOptions): Poll {
  const closing = new AbortController()
  let asking: Promise<void> | undefined
  let isDue = false
  let rest = new AbortController()
  /** The time of the last look at the list, as the database writes it. */
  let clock: string | null = null
  let listed: ReadonlySet<string> = new Set()
  let listVersion = 0
  /** In how many ms the next lease ends, unless it is renewed: without a look at that time its runs would wait for the next one. */
  let nextEnd = Number.POSITIVE_INFINITY

  const isEmpty = ({ runIds, threadIds, asksList, asksExpired }: Question) =>
    runIds.length === 0 && threadIds.length === 0 && !asksList && !asksExpired

  async function ask(asked: Question): Promise<void> {
    const { asksList, asksExpired } = asked
    const ids = [asked.runIds.map(storable), asked.threadIds.map(storable)]
    const rows = await connections.read<Row>(ASK, [...ids, asksList, clock])
    const hasExpired = asksExpired && (await lookForExpired())
    const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind)
    clock = asksList ? (of('clock')[0]?.id ?? null) : null
    onAnswer({
      runs: new Map(of('run').map((row) => [restored(row.id), { ...row, isEnded: row.ended }])),
      threads: new Map(of('thread').map((row) => [restored(row.id), row.version])),
      list: listOf([...of('listed'), ...of('deletions')]),
      hasExpired,
    })
  }

  /** A thread that leaves the last seconds has not changed. */
  function listOf(rows: readonly Row[]): string {
    const found = new Set(rows.map(({ id, version }) => `${version} ${id}`))
    if ([...found].some((each) => !listed.has(each))) listVersion++
    listed = found
    return `${listVersion}`
  }

  async function lookForExpired(): Promise<boolean> {
    await leases.bury()
    const [row] = await connections.read<{ has: boolean; next_end: number | null }>(HAS_EXPIRED, [waitClock()])
    nextEnd = row?.next_end ?? Number.POSITIVE_INFINITY
    return row?.has ?? false
  }

  async function keepAsking(): Promise<void> {
    for (let asked = question(); !closing.signal.aborted && !isEmpty(asked); asked = question()) {
      isDue = false
      nextEnd = Number.POSITIVE_INFINITY
      // While the database cannot be reached there is nothing to see.
      await ask(asked).catch(() => undefined)
      // Nodes that began at the same time do not ask at the same time.
      if (!isDue) await pauseFor(Math.min(EVERY * (0.75 + Math.random() / 2), afterEnd()))
    }
    asking = undefined
  }

  const afterEnd = () => Math.max(0, nextEnd) + AFTER_END * (0.5 + Math.random() / 2)

  /** It may have been closed while it asked: nobody waits for the end of a pause that nothing follows. */
  async function pauseFor(ms: number): Promise<void> {
    if (closing.signal.aborted) return
    rest = new AbortController()
    await sleep(ms, undefined, { signal: rest.signal, ref: false }).catch(() => undefined)
  }

  function begin(): void {
    if (!closing.signal.aborted) asking ??= Promise.resolve().then(keepAsking)
  }

  return {
    begin,
    soon() {
      isDue = true
      rest.abort()
      begin()
    },
    async close() {
      closing.abort()
      rest.abort()
      await asking
    },
  }
}
