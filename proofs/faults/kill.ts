import { setTimeout } from 'node:timers/promises'
import { createRandom } from '@millrace/testkit/seeded'
import { runAt } from './asking.ts'
import { quantile } from './at-once.ts'
import type { Fault, Played, Tally } from './fault.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { inRounds, samplesOf } from './rounds.ts'
import { type Address, type ServerProcess, type Store, startServer } from './server-process.ts'
import { type WithStore, withFolderStore, withPostgresStore } from './stores.ts'
import { streamOf } from './streams.ts'
import { watch } from './viewer.ts'

const RECORDS = 200
/** About how long a stream takes, in ms: the kill comes during the stream or shortly after it. */
const LASTS = 450

const viewers = [
  { viewer: 'viewer 1', wire: 'native', by: 'sse' },
  { viewer: 'viewer 2', wire: 'native', by: 'sse' },
  { viewer: 'ai-sdk viewer', wire: 'ai-sdk', by: 'sse' },
  { viewer: 'WebSocket viewer', wire: 'native', by: 'websocket' },
] as const

/** The server dies at any moment of a run, and producer and viewers continue with the next process. */
const killOver = (withStore: WithStore, count: number): Fault =>
  inRounds(
    {
      name: 'F1 kill -9 of the server',
      promise: 'nothing acknowledged or seen is lost or doubled; producer and viewers continue by themselves',
      sizes: { full: { count, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
    },
    {
      perStore: 100,
      play: ({ count }, seed) => withStore((store) => killedRuns(store, count, seed)),
      summary: (count, { requests, restarts, workedEarly, workedLate }) => ({
        tried: `${count} rounds`,
        figures: [
          `${requests} producer requests`,
          `restart until it answers: ${medianOf(restarts)} (median)${growthOf(workedEarly, workedLate)}`,
        ],
      }),
    },
  )

export const kill = killOver(withFolderStore, 2_000)
export const killOverPostgres = killOver(withPostgresStore, 500)

async function killedRuns(store: Store, count: number, seed: number): Promise<Played> {
  const broken: string[] = []
  const restarts: number[] = []
  const worked: number[] = []
  let requests = 0
  let server = await startServer(store)
  try {
    for (let round = seed; round < seed + count; round++) {
      const killed = await killedRun(server, store, round)
      server = killed.server
      restarts.push(Math.round(killed.restart))
      worked.push(...killed.worked)
      requests += killed.requests
      broken.push(...killed.problems.map((problem) => `round seed ${round}: ${problem}`))
    }
  } finally {
    await server.kill()
  }
  const fifth = count < 20 ? 0 : Math.floor(worked.length / 5)
  const [workedEarly, workedLate] = [worked.slice(0, fifth), worked.slice(worked.length - fifth)]
  return { broken, tally: { requests, restarts, workedEarly, workedLate } }
}

const medianOf = (values: Tally[string] | undefined) => `${Math.round(quantile(samplesOf(values), 0.5))} ms`

/**
 * What is stored must not slow down a start: the first and the last fifth of the rounds on a store are compared, by what the
 * process computed, because other work on the machine delays a start several times over.
 */
const growthOf = (early: Tally[string] | undefined, late: Tally[string] | undefined) =>
  samplesOf(early).length === 0
    ? ''
    : `, for which it computes ${medianOf(early)} in the first fifths of a store and ${medianOf(late)} in the last`

interface Killed {
  readonly server: ServerProcess
  readonly restart: number
  /** What the restart computed, in ms; nothing if the system does not report it. */
  readonly worked: readonly number[]
  readonly requests: number
  readonly problems: readonly string[]
}

async function killedRun(server: ServerProcess, store: Store, seed: number): Promise<Killed> {
  const random = createRandom(seed)
  const runId = `run-${seed}`
  const stream = streamOf(seed, RECORDS)
  const witness = watchCounts(server, runId)
  const sights = Promise.all(
    viewers.map(async (viewer): Promise<Sight> => ({ ...viewer, ...(await watch({ server, runId, ...viewer })) })),
  )
  const produced = produce({ server, runId, stream, random, pauseMs: 2 })
  // The first rejection is awaited below; until then it must not end the process.
  for (const promise of [sights, produced]) promise.catch(() => undefined)
  await setTimeout(random() * LASTS)
  await server.kill()
  const died = performance.now()
  const next = await startServer(store, server.port)
  const restart = performance.now() - died
  const worked = [next.worked() ?? []].flat()
  try {
    const { requests, answer } = await produced
    const lost = witness.problems()
    const short = answer.rawRecords === stream.lines.length ? [] : [`${answer.rawRecords} records acknowledged`]
    const problems = [...lost, ...short, ...(await judge(next, runId, stream, await sights))]
    return { server: next, restart, worked, requests, problems }
  } catch (error) {
    return { server: next, restart, worked, requests: 0, problems: [String(error)] }
  } finally {
    witness.stop()
  }
}

/** Requests the run's state repeatedly: the acknowledged counts may never decrease. */
function watchCounts(server: Address, runId: string) {
  const problems: string[] = []
  let isOver = false
  const look = async () => {
    let seq = 0
    let rawRecords = 0
    while (!isOver) {
      const run = await runAt(server, runId)
      if (run !== undefined) {
        if (run.seq < seq) problems.push(`entries went from ${seq} to ${run.seq}`)
        if (run.rawRecords < rawRecords) problems.push(`raw records went from ${rawRecords} to ${run.rawRecords}`)
        seq = run.seq
        rawRecords = run.rawRecords
      }
      await setTimeout(25)
    }
  }
  void look()
  return {
    problems: () => problems,
    stop() {
      isOver = true
    },
  }
}
