import { setTimeout } from 'node:timers/promises'
import type { Log } from '@millrace/server/log/log'
import { createRandom } from '@millrace/testkit/seeded'
import { type Asked, askAll, beginRuns, CLEAN_UP, post } from '../asked-runs.ts'
import { runAt } from '../asking.ts'
import { askedProblems } from '../commands-oracle.ts'
import { judge, type Sight } from '../oracle.ts'
import { produce } from '../producer.ts'
import type { Address } from '../server-process.ts'
import { type Stream, streamOf } from '../streams.ts'
import { watch } from '../viewer.ts'
import type { Cluster } from './cluster.ts'
import { changeProblems, type Wait } from './history.ts'
import type { Nemesis } from './nemeses.ts'

const RECORDS = 160
const ASKED_RUNS = 6

/** The nemesis strikes within this time after the runs have begun, in ms: the stream takes a little longer. */
const STRIKES_WITHIN = 500

/** Viewers over SSE leave a server whose heartbeats stop for this long, in ms. */
const SILENT_FOR = 1_000

/** How long a run may stay open after everything is well again, in ms. */
const PATIENCE = 40_000

const viewers = [
  { viewer: 'viewer of the owner', wire: 'native', by: 'sse', at: 0 },
  { viewer: 'viewer elsewhere', wire: 'native', by: 'sse', at: 1 },
  { viewer: 'ai-sdk viewer elsewhere', wire: 'ai-sdk', by: 'sse', at: 1 },
  { viewer: 'WebSocket viewer of the owner', wire: 'native', by: 'websocket', at: 0 },
  { viewer: 'WebSocket viewer elsewhere', wire: 'native', by: 'websocket', at: 1 },
] as const

export interface Round {
  readonly problems: readonly string[]
  /** How long the runs of a lost owner waited until another decided about them, by the clock of the store, in ms. */
  readonly waits: readonly Wait[]
  readonly commands: number
}

/** One run with a producer and viewers, some that are asked for something, and one thing that goes wrong. */
export async function playRound(cluster: Cluster, log: Log, nemesis: Nemesis, seed: number): Promise<Round> {
  const random = createRandom(seed)
  const { history } = cluster
  const stream = streamOf(seed, RECORDS)
  const runId = `run-${seed}`
  const askedIds = Array.from({ length: ASKED_RUNS }, (_, nth) => `asked-${seed}-${nth}`)
  const { victim, addresses } = await ownerOf(cluster, nemesis, random)
  const [owner, ...others] = addresses
  const began = await history.clock()

  const sights = Promise.all(viewers.map((viewer) => sightOf(viewer, addresses, runId)))
  const produced = produce({ server: owner, elsewhere: others, runId, stream, random, pauseMs: 4, patience: PATIENCE })
  for (const promise of [sights, produced]) promise.catch(() => undefined)
  await beginRuns(owner, askedIds)
  const asked: Asked[] = []
  await setTimeout(random() * STRIKES_WITHIN)
  const answers = askAll(addresses, askedIds, random, (each) => void asked.push(each))
  await setTimeout(random() * 50)
  const struck = await history.clock()
  await nemesis.strike({ cluster, victim, random })

  const gone = cluster.nodes.filter((node) => !node.process().isAlive())
  if (gone.length > 0) {
    const problems = gone.map((node) => `node "${node.name}" has died: ${node.process().complaint()}`)
    for (const node of gone) await node.start()
    return { problems, waits: [], commands: 0 }
  }
  const living = cluster.nodes.map((node) => node.address())
  const problems = await collected([
    async () => runProblems(living[seed % 2] as Address, runId, stream, await produced, await sights),
    async () => {
      await answers
      await endAll(living, askedIds, random)
      return allAsked(log, askedIds, asked)
    },
  ])
  const changes = await history.changesOf([runId, ...askedIds])
  const waits = nemesis.isTimed ? await history.waits([runId, ...askedIds], struck) : []
  return {
    problems: [...problems, ...changeProblems(changes), ...(await history.leaseProblems(began))],
    waits,
    commands: asked.length,
  }
}

/** The victim comes first: it owns the runs. */
async function ownerOf({ nodes, third }: Cluster, { victim }: Nemesis, random: () => number) {
  const [one, other] = random() < 0.5 ? nodes : nodes.toReversed()
  if (one === undefined || other === undefined) throw new Error('There are two nodes.')
  if (victim === 'one of two') return { victim: one, addresses: [one.address(), other.address()] as const }
  await third.start()
  return { victim: third, addresses: [third.address(), one.address(), other.address()] as const }
}

async function sightOf(
  { viewer, wire, by, at }: (typeof viewers)[number],
  addresses: readonly [Address, ...Address[]],
  runId: string,
): Promise<Sight> {
  const [server = addresses[0], ...elsewhere] = [...addresses.slice(at), ...addresses.slice(0, at)]
  const options = { server, elsewhere, runId, wire, by, silentFor: SILENT_FOR, patience: PATIENCE }
  return { viewer, wire, by, ...(await watch(options)) }
}

async function runProblems(
  server: Address,
  runId: string,
  stream: Stream,
  { answer }: Awaited<ReturnType<typeof produce>>,
  sights: readonly Sight[],
): Promise<readonly string[]> {
  const isShort = answer.rawRecords !== stream.lines.length
  const problems = await judge(server, runId, stream, sights)
  return [...(isShort ? [`${answer.rawRecords} records acknowledged`] : []), ...problems].map(
    (each) => `${runId}: ${each}`,
  )
}

/** Stops what goes on, through any server, until everything has ended. */
async function endAll(servers: readonly Address[], runIds: readonly string[], random: () => number): Promise<void> {
  const deadline = Date.now() + PATIENCE
  const anyServer = () => servers[Math.floor(random() * servers.length)] as Address
  await Promise.all(
    runIds.map(async (runId) => {
      for (let run = await runAt(anyServer(), runId); run !== undefined && run.state !== 'ended'; ) {
        if (Date.now() > deadline) return
        await post(anyServer(), `/api/runs/${runId}/stop`, { by: CLEAN_UP }).catch(() => undefined)
        run = (await runAt(anyServer(), runId)) ?? run
      }
    }),
  )
}

async function allAsked(log: Log, runIds: readonly string[], asked: readonly Asked[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const runId of runIds) {
    const run = await log.run(runId)
    if (run === undefined) continue
    if (run.state !== 'ended') problems.push(`${runId}: it cannot be stopped`)
    const ofRun = asked.filter((each) => each.runId === runId)
    problems.push(...(await askedProblems(log, run, ofRun)))
  }
  return problems
}

/** What cannot be found out is a problem, too. */
async function collected(searches: readonly (() => Promise<readonly string[]>)[]): Promise<readonly string[]> {
  const found = await Promise.all(searches.map((search) => search().catch((error: unknown) => [String(error)])))
  return found.flat()
}
