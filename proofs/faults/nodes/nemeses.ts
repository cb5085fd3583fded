import { setTimeout } from 'node:timers/promises'
import { LEASE_TTL } from '../stores.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

/** Something that goes wrong in a round. When `strike` resolves, it is over: everything is there again. */
export interface Nemesis {
  /** Which server owns the runs of the round, and suffers. */
  readonly victim: 'one of two' | 'a third'
  /** Whether others must take the victim's runs within a time. */
  readonly isTimed: boolean
  readonly strike: (scene: Scene) => Promise<void>
}

interface Scene {
  readonly cluster: Cluster
  readonly victim: ClusterNode
  readonly random: () => number
}

/** Past the end of a lease, and the looks of others at it. */
const longPause = (random: () => number) => LEASE_TTL * (1.2 + random())

async function killOwner({ victim, random }: Scene): Promise<void> {
  await victim.process().kill()
  await setTimeout(random() * 2 * LEASE_TTL)
  await victim.start()
}

async function killThird({ victim }: Scene): Promise<void> {
  await victim.process().kill()
}

async function pauseOwner({ victim, random }: Scene): Promise<void> {
  victim.process().pause()
  await setTimeout(longPause(random))
  victim.process().continue()
}

/** The reply to a statement is kept until the server is stopped: it stops while the statement is under way. */
async function pauseInStatement({ victim, random }: Scene): Promise<void> {
  await Promise.race([victim.gate.holdReplies(), setTimeout(LEASE_TTL)])
  victim.process().pause()
  victim.gate.open()
  await setTimeout(longPause(random))
  victim.process().continue()
}

/** Its connections end, and it gets no others. */
async function cutOwner({ victim, random }: Scene): Promise<void> {
  victim.gate.cut()
  await setTimeout(random() * 2.5 * LEASE_TTL)
  victim.gate.open()
}

/** Nothing arrives, and nothing ends; later everything arrives, also what others have refused to wait for. */
async function silenceOwner({ victim, random }: Scene): Promise<void> {
  victim.gate.silence()
  await setTimeout(random() * 2.5 * LEASE_TTL)
  victim.gate.open()
}

/** Neither has seen the other end: what each has sent to renew its lease arrives when that has ended. */
async function silenceBoth({ cluster: { nodes }, random }: Scene): Promise<void> {
  for (const { gate } of nodes) gate.silence()
  await setTimeout(longPause(random))
  for (const { gate } of nodes) gate.open()
}

async function restartPostgres({ cluster: { postgres } }: Scene, signal: 'QUIT' | 'INT'): Promise<void> {
  await postgres.stop(signal)
  await postgres.start()
}

async function restartRedis({ cluster: { redis }, random }: Scene): Promise<void> {
  await redis?.command('FLUSHALL')
  await redis?.stop()
  await setTimeout(random() * LEASE_TTL)
  await redis?.start()
}

const harmsOne = { victim: 'one of two' } as const

/** With any bus. */
const always: { readonly [name: string]: Nemesis } = {
  'kill -9 of the owner': { ...harmsOne, isTimed: true, strike: killOwner },
  'both nodes sweep': { victim: 'a third', isTimed: true, strike: killThird },
  'pause of the owner': { ...harmsOne, isTimed: true, strike: pauseOwner },
  'pause inside a statement': { ...harmsOne, isTimed: true, strike: pauseInStatement },
  'owner cut off': { ...harmsOne, isTimed: false, strike: cutOwner },
  'owner in silence': { ...harmsOne, isTimed: false, strike: silenceOwner },
  'both nodes in silence': { ...harmsOne, isTimed: false, strike: silenceBoth },
  'PostgreSQL restarted at once': { ...harmsOne, isTimed: false, strike: (scene) => restartPostgres(scene, 'QUIT') },
  'PostgreSQL restarted': { ...harmsOne, isTimed: false, strike: (scene) => restartPostgres(scene, 'INT') },
  'all connections ended': {
    ...harmsOne,
    isTimed: false,
    strike: ({ cluster }) => cluster.postgres.cut(cluster.databaseUrl),
  },
}

/** By name. The seed of a round chooses one of them. */
export const nemesesWith: { readonly [bus in 'redis' | 'postgres']: { readonly [name: string]: Nemesis } } = {
  redis: { ...always, 'Redis flushed and restarted': { ...harmsOne, isTimed: false, strike: restartRedis } },
  postgres: always,
}
