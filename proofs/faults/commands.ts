import { setTimeout } from 'node:timers/promises'
import type { Log } from '@millrace/server/log/log'
import { createRandom } from '@millrace/testkit/seeded'
import { openStore } from '../../packages/millrace/src/store.ts'
import { type Asked, askAll, beginRuns, THREAD } from './asked-runs.ts'
import { runAt } from './asking.ts'
import { askedProblems } from './commands-oracle.ts'
import type { Fault, Played } from './fault.ts'
import { inRounds } from './rounds.ts'
import { type Address, type Store, startServer } from './server-process.ts'
import { type WithStore, withFolderStore, withPostgresStore } from './stores.ts'

/** How many runs each round has. */
const RUNS = 6

const PATIENCE = { stallAfter: 30_000, heartbeat: 15_000, resumeWithin: 200 }

/**
 * The kill comes when some of the commands were answered, at most so many, and a little later: by a clock alone it would come
 * before all of them on a machine that does other work.
 */
const ANSWERED = 6
const LATER = 8

/** How long the kill waits for answers, in ms. */
const ANSWERED_WITHIN = 1_000

/** How long the last process may take to settle what the killed ones left, in ms. */
const SETTLED_WITHIN = 60_000

/** A shared store is looked at about once a second, in ms. */
const LOOKS_WITHIN = 1_500

/** The server dies between a command and its settlement. */
const commandsOver = (withStore: WithStore): Fault =>
  inRounds(
    {
      name: 'kill -9 between a command and its settlement',
      promise: 'every command is settled exactly once, what was answered as applied is applied, and each run ends once',
      sizes: { full: { count: 500, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
    },
    {
      perStore: 100,
      play: ({ count }, seed) => withStore((store) => killedRounds(store, count, seed)),
      summary: (count, { settled, answered }) => ({
        tried: `${count} kills, ${settled} commands`,
        figures: [`${answered} of them were answered before the kill`],
      }),
    },
  )

export const commands = commandsOver(withFolderStore)
export const commandsOverPostgres = commandsOver(withPostgresStore)

async function killedRounds(store: Store, count: number, seed: number): Promise<Played> {
  const asked: Asked[] = []
  for (let round = seed; round < seed + count; round++) await killedRound(store, round, asked)
  const last = await startServer(store, 0, PATIENCE)
  await settleRuns(last, new Set(asked.map(({ runId }) => runId)))
  await last.kill()
  const { data, shared } = store
  const { log, close } = await openStore({ data, databaseUrl: shared?.databaseUrl, redisUrl: undefined }, () => {})
  const { broken, settled } = await judge(log, asked)
  await close()
  return { broken, tally: { settled, answered: asked.filter(({ status }) => status !== undefined).length } }
}

async function killedRound(store: Store, seed: number, asked: Asked[]): Promise<void> {
  const server = await startServer(store, 0, PATIENCE)
  const random = createRandom(seed)
  const runIds = Array.from({ length: RUNS }, (_, nth) => `run-${seed}-${nth}`)
  await beginRuns(server, runIds)
  const before = asked.length
  const answers = askAll([server], runIds, random, (each) => void asked.push(each))
  const enough = before + Math.floor(random() * ANSWERED)
  const deadline = performance.now() + ANSWERED_WITHIN
  while (asked.length < enough && performance.now() < deadline) await setTimeout(1)
  await setTimeout(random() * LATER)
  await server.kill()
  await answers
}

/** Resolves when no run waits for its owner or its producer any more, or when that takes too long. */
async function settleRuns(server: Address, runIds: ReadonlySet<string>): Promise<void> {
  const deadline = Date.now() + SETTLED_WITHIN
  for (const runId of runIds) while (Date.now() < deadline && (await isUnderWay(server, runId))) await setTimeout(100)
  await setTimeout(LOOKS_WITHIN)
}

/** An open question has no time limit. */
async function isUnderWay(server: Address, runId: string): Promise<boolean> {
  const run = await runAt(server, runId)
  return run !== undefined && run.state !== 'ended' && !(run.state === 'waiting' && run.waitUntil === undefined)
}

async function judge(log: Log, asked: readonly Asked[]) {
  const broken: string[] = []
  let settled = 0
  for (const run of await log.runs(THREAD)) {
    settled += (await log.commands(run.id, { after: 0 })).length
    const ofRun = asked.filter(({ runId }) => runId === run.id)
    broken.push(...(await askedProblems(log, run, ofRun)))
  }
  return { broken, settled }
}
