import { buses } from '@millrace/server/bus/index'
import type { Log, LogOptions } from '@millrace/server/log/log'
import { postgres } from '@millrace/server/log/postgres'
import { sessionAt } from '@millrace/server/log/postgres/connections'
import type { Session } from '@millrace/server/log/postgres/session'
import { postgresAbsence, startPostgres } from '@millrace/testkit/repository/servers/postgres'
import { redisAbsence, startRedis } from '@millrace/testkit/repository/servers/redis'
import type { Figure, Row } from '../row.ts'
import { APPENDS, appendNth, items, LATENCIES, millis, newRun, oursAtOnce, quantile, ROUNDS, RUNS } from './log.ts'

const LANES = 2

/** The rows alone: all bytes one parameter, cut by offset, prepared, on as many connections as the log writes with. */
const INSERT = {
  name: 'bare',
  text: `WITH entered AS (INSERT INTO entries (run, first_seq, last_seq, lines)
      SELECT a.run, a.seq, a.seq, convert_from(substring($3::bytea FROM a.start FOR a.size), 'UTF8')
      FROM unnest($1::bigint[], $2::bigint[], $4::integer[], $5::integer[]) AS a (run, seq, start, size))
    INSERT INTO inputs (run, last_position, heads, bodies)
    SELECT a.run, a.seq, '[[0,null,1]]', substring($3::bytea FROM a.start + a.size FOR a.body)
    FROM unnest($1::bigint[], $2::bigint[], $4::integer[], $5::integer[], $6::integer[]) AS a (run, seq, start, size, body)`,
}

const rows = items.map(({ raw, event }, nth) => ({
  line: Buffer.from(JSON.stringify({ seq: nth + 1, at: 1_700_000_000_000, event, rawThrough: nth + 1 })),
  raw: Buffer.from(raw),
}))

interface Spot {
  readonly run: number
  readonly nth: number
}

function valuesOf(spots: readonly Spot[]): unknown[] {
  const parts = spots.map(({ nth }) => rows[nth % rows.length] as (typeof rows)[number])
  const starts: number[] = []
  let at = 1
  for (const { line, raw } of parts) {
    starts.push(at)
    at += line.length + raw.length
  }
  return [
    spots.map(({ run }) => run),
    spots.map(({ nth }) => nth + 1),
    Buffer.concat(parts.flatMap(({ line, raw }) => [line, raw])),
    starts,
    parts.map(({ line }) => line.length),
    parts.map(({ raw }) => raw.length),
  ]
}

async function openBare(url: string) {
  const sessions = await Promise.all(Array.from({ length: LANES }, () => sessionAt(url, 'bench')))
  let runs = 1_000_000
  const commit = (lane: number, spots: readonly Spot[]) => (sessions[lane] as Session).once(INSERT, valuesOf(spots))
  return {
    commit,
    newRun: () => ++runs,
    async atOnce(commits: number): Promise<number> {
      const own = Array.from({ length: RUNS }, () => ++runs)
      const begun = millis()
      await Promise.all(
        sessions.map(async (_session, lane) => {
          const mine = own.filter((_run, index) => index % LANES === lane)
          const spots = Array.from({ length: mine.length * APPENDS }, (_, index) => ({
            run: mine[index % mine.length] as number,
            nth: Math.floor(index / mine.length),
          }))
          const batches = Math.round(commits / LANES)
          for (let batch = 0; batch < batches; batch++) {
            const [from, to] = [batch, batch + 1].map((n) => Math.round((n * spots.length) / batches))
            await commit(lane, spots.slice(from, to))
          }
        }),
      )
      return millis() - begun
    },
    close: () => Promise.all(sessions.map((session) => session.close())),
  }
}
type Bare = Awaited<ReturnType<typeof openBare>>

async function throughput(log: Log, bare: Bare): Promise<Figure[]> {
  const [times, floors]: [number[], number[]] = [[], []]
  const batches: number[] = []
  const latencies: number[] = []
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const { time, commits } = await oursAtOnce(log, round, round < 0 ? [] : latencies)
    const floor = await bare.atOnce(commits)
    if (round < 0) continue
    times.push(time)
    floors.push(floor)
    batches.push((RUNS * APPENDS) / commits)
    rates.push((RUNS * APPENDS) / (time / 1_000))
  }
  // The quickest rounds: wall time has no other defence against what else the machine does.
  return [
    {
      row: '6p',
      what: 'appends a second, 32 runs at once: bare over ours',
      value: Math.min(...times) / Math.min(...floors),
      bound: 2,
    },
    { row: '6p', what: 'appends in one commit, mean', value: quantile(batches, 0.5) },
    { row: '6p', what: 'appends a second, 32 runs at once', value: quantile(rates, 0.5), unit: '/s' },
    ...quantiles('append to subscriber, 32 runs at once', latencies),
  ]
}

/** One append after another on `writer` until the subscriber of `reader` has it. */
async function latencies(writer: Log, reader: Log, id: string): Promise<number[]> {
  await newRun(writer, id)
  const subscriber = reader.read(id, { after: 0, live: true })[Symbol.asyncIterator]()
  const found: number[] = []
  for (let nth = 0; nth < LATENCIES; nth++) {
    const next = subscriber.next()
    await new Promise((resolve) => setTimeout(resolve, 2))
    const begun = millis()
    const answer = appendNth(writer, id, nth)
    await next
    found.push(millis() - begun)
    await answer
  }
  await subscriber.return?.()
  return found.slice(20)
}

async function bareLatencies(bare: Bare): Promise<number[]> {
  const run = bare.newRun()
  const found: number[] = []
  for (let nth = 0; nth < LATENCIES; nth++) {
    const begun = millis()
    await bare.commit(0, [{ run, nth }])
    found.push(millis() - begun)
  }
  return found.slice(20)
}

const quantiles = (what: string, values: readonly number[]): Figure[] =>
  [0.5, 0.99].map((at) => ({ row: '6p', what: `${what}, p${at * 100}`, value: quantile(values, at), unit: 'ms' }))

type BusOptions = NonNullable<LogOptions['bus']>

/** From an append to a subscriber at the same node, and at another one unless the bus reaches only its own process. */
async function latenciesBy(name: string, open: () => Promise<Log>, isShared: boolean): Promise<Figure[]> {
  const [log, other] = [await open(), isShared ? await open() : undefined]
  const figures = quantiles(`append to subscriber, same node, bus ${name}`, await latencies(log, log, `${name} same`))
  if (other !== undefined) {
    const found = await latencies(log, other, `${name} other`)
    figures.push(...quantiles(`append to subscriber, other node, bus ${name}`, found))
  }
  await Promise.all([log.close(), other?.close()])
  return figures
}

async function measured(url: string, redisUrl: string | undefined): Promise<Figure[]> {
  const open = (bus?: BusOptions) => postgres.open({ folder: '', url, ...(bus && { bus }) })
  const [log, bare] = [await open(), await openBare(url)]
  const figures = await throughput(log, bare)
  figures.push(...quantiles('milliseconds of a bare commit', await bareLatencies(bare)))
  await Promise.all([log.close(), bare.close()])
  figures.push(...(await latenciesBy('local', () => open({ member: buses.local, url }), false)))
  figures.push(...(await latenciesBy('postgres', () => open(), true)))
  if (redisUrl === undefined) return figures
  const bus = { member: buses.redis, url: redisUrl }
  return [...figures, ...(await latenciesBy('redis', () => open(bus), true))]
}

export const logPostgres: Row = {
  title: `durable append to PostgreSQL (floor: bare pg, same rows, batch and connections)${postgresAbsence ? `: skipped, ${postgresAbsence}` : ''}`,
  async run() {
    if (postgresAbsence !== undefined) return []
    await using server = await startPostgres()
    if (redisAbsence !== undefined) return measured(server.url, undefined)
    await using redis = await startRedis()
    return await measured(server.url, redis.url)
  },
}
