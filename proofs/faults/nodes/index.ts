import { openStore } from '../../../packages/millrace/src/store.ts'
import { quantile } from '../at-once.ts'
import type { Fault } from '../fault.ts'
import { LEASE_TTL } from '../stores.ts'
import { withCluster } from './cluster.ts'
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
  const nemeses = Object.entries(nemesesWith[bus])
  return {
    name: `F16 two nodes, woken by ${title}`,
    promise:
      'nothing is lost or doubled, each run ends once, each command is settled once, every viewer sees the stored run, only the owner writes, ' +
      'and the runs of a lost owner are decided about within ttl + 2 s',
    sizes: { full: { count: full, megabytes: 0, isTimed: true }, small: { count: small, megabytes: 0 } },
    hasSeedPerRound: true,
    run: ({ count, isTimed = false }, seed) =>
      withCluster(bus === 'redis', async (cluster) => {
        const { log, close } = await openStore(
          { data: '', databaseUrl: cluster.databaseUrl, redisUrl: undefined },
          () => undefined,
        )
        const broken: string[] = []
        const waits: number[] = []
        let commands = 0
        try {
          for (let round = seed; round < seed + count; round++) {
            const [name, nemesis] = nemeses[round % nemeses.length] as (typeof nemeses)[number]
            const begun = performance.now()
            const played = await playRound(cluster, log, nemesis, round)
            const late = isTimed ? played.waits.filter((wait) => wait > SWEPT_WITHIN) : []
            const problems = [...played.problems, ...late.map((wait) => `a run waited ${Math.round(wait)} ms`)]
            const times = `${Math.round(performance.now() - begun)} ms, waits ${played.waits.map(Math.round).join(' ')}`
            broken.push(...problems.map((problem) => `seed ${round}, ${name}, ${times}: ${problem}`))
            waits.push(...played.waits)
            commands += played.commands
          }
        } finally {
          await close()
        }
        return { tried: `${count} rounds, ${nemeses.length} kinds`, broken, figures: figuresOf(waits, commands) }
      }),
  }
}

function figuresOf(waits: readonly number[], commands: number): readonly string[] {
  const ms = (share: number) => `${Math.round(quantile(waits, share))} ms`
  return [
    `${commands} commands`,
    ...(waits.length === 0
      ? []
      : [
          `${waits.length} runs of lost owners were decided about after p50 ${ms(0.5)}, at most ${ms(1)} (ttl ${LEASE_TTL} ms)`,
        ]),
  ]
}

/** Every kind of nemesis once in the small size with Redis. */
export const nodeFaults: readonly Fault[] = [
  nodesWith({ bus: 'redis', title: 'Redis', full: 100, small: Object.keys(nemesesWith.redis).length }),
  nodesWith({ bus: 'postgres', title: 'PostgreSQL', full: 100, small: 1 }),
]
