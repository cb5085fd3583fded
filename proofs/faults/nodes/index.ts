import { openStore } from '../../../packages/millrace/src/store.ts'
import { quantile } from '../at-once.ts'
import type { Fault, Size } from '../fault.ts'
import { inRounds, samplesOf } from '../rounds.ts'
import { LEASE_TTL } from '../stores.ts'
import { type Cluster, withCluster } from './cluster.ts'
import type { Wait } from './history.ts'
import { nemesesWith } from './nemeses.ts'
import { playRound } from './round.ts'

/** Beside the ttl, how long the runs of a lost owner wait at most, in ms. */
const SWEPT_WITHIN = LEASE_TTL + 2_000

interface Setup {
  readonly bus: keyof typeof nemesesWith
  readonly title: string
  readonly full: number
  readonly small: number
}

function nodesWith({ bus, title, full, small }: Setup): Fault {
  const kinds = Object.keys(nemesesWith[bus]).length
  return inRounds(
    {
      name: `F16 two nodes, woken by ${title}`,
      promise:
        'nothing is lost or doubled, each run ends once, each command is settled once, every viewer sees the stored run, only the owner writes, ' +
        'and the runs of a lost owner are decided about within ttl + 2 s',
      sizes: { full: { count: full, megabytes: 0, isTimed: true }, small: { count: small, megabytes: 0 } },
    },
    {
      perStore: 2 * kinds,
      play: (size, seed) => withCluster(bus === 'redis', (cluster) => rounds(cluster, bus, size, seed)),
      summary: (count, { commands, buried, decided }) => ({
        tried: `${count} rounds, ${kinds} kinds`,
        figures: [`${commands} commands`, ...waitFigures(samplesOf(buried), samplesOf(decided))],
      }),
    },
  )
}

async function rounds(cluster: Cluster, bus: Setup['bus'], { count, isTimed = false }: Size, seed: number) {
  const nemeses = Object.entries(nemesesWith[bus])
  const store = { data: '', databaseUrl: cluster.databaseUrl, redisUrl: undefined }
  const { log, close } = await openStore(store, () => undefined)
  const broken: string[] = []
  const waits: Wait[] = []
  let commands = 0
  try {
    for (let round = seed; round < seed + count; round++) {
      const [name, nemesis] = nemeses[round % nemeses.length] as (typeof nemeses)[number]
      const begun = performance.now()
      const played = await playRound(cluster, log, nemesis, round)
      const late = isTimed ? played.waits.filter(({ decided }) => decided > SWEPT_WITHIN) : []
      const problems = [...played.problems, ...late.map((wait) => `a run waited: ${waitText(wait)}`)]
      const times = `${Math.round(performance.now() - begun)} ms, waits ${played.waits.map(waitText).join(', ')}`
      broken.push(...problems.map((problem) => `seed ${round}, ${name}, ${times}: ${problem}`))
      waits.push(...played.waits)
      commands += played.commands
    }
  } finally {
    await close()
  }
  const samples = (of: keyof Wait) => waits.map((wait) => Math.round(wait[of]))
  return { broken, tally: { commands, buried: samples('buried'), decided: samples('decided') } }
}

const waitText = ({ buried, decided }: Wait) => `${Math.round(decided)} ms (buried after ${Math.round(buried)})`

function waitFigures(buried: readonly number[], decided: readonly number[]): readonly string[] {
  if (decided.length === 0) return []
  const times = (values: readonly number[]) =>
    `after p50 ${quantile(values, 0.5)} ms, p90 ${quantile(values, 0.9)} ms, at most ${quantile(values, 1)} ms`
  return [
    `${decided.length} runs of lost owners: the owner was buried ${times(buried)}, and they were decided about ${times(decided)} (ttl ${LEASE_TTL} ms)`,
  ]
}

/** Every kind of nemesis once in the small size with Redis. */
export const nodeFaults: readonly Fault[] = [
  nodesWith({ bus: 'redis', title: 'Redis', full: 100, small: Object.keys(nemesesWith.redis).length }),
  nodesWith({ bus: 'postgres', title: 'PostgreSQL', full: 100, small: 1 }),
]
