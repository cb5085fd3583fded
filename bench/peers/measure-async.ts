import type { Work } from '../measure.ts'
import type { Duel } from './peer.ts'

const WARM_UP = 3
const ROUNDS = 11

/** A floor is called this often before anything counts: the engine compiles it on other threads, whose time counts too. */
const FLOOR_WARM_UP = 20

/** Floors that count on either side of a peer. One alone would decide the ratio of a peer that has a single round. */
const FLOORS = 3

/** Floors after a peer that do not count: they still pay for its garbage and for what it pushed out of the caches. */
const FLOORS_TO_SETTLE = 4

/** A peer starts no further round once it has had this long. */
const ENOUGH_MS = 4000

const kept: { result: unknown } = { result: undefined }

/** CPU time until the work is settled, in microseconds, all threads of the process counted. */
async function cpuOf(work: Work): Promise<number> {
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  kept.result = await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

export interface Outcome {
  /** The peer's time over its floor's. */
  readonly ratio: number
  readonly rounds: number
  /** How long one call of the peer took, by the clock. */
  readonly seconds: number
}

/**
 * Median of a peer over the median of its floor, which is run before and after the peer in each round, so that a noisy
 * moment hits both. A slow peer has few rounds, and then no warm-up: its code is warm long before its first call ends.
 */
export async function measureAsync({ floor, peer, fault }: Duel): Promise<Outcome> {
  const floors: number[] = []
  const peers: number[] = []
  let spent = 0
  for (let n = 0; n < FLOOR_WARM_UP; n++) await cpuOf(floor)
  while (peers.length < WARM_UP + ROUNDS && spent < ENOUGH_MS) {
    for (let n = 0; n < FLOORS; n++) floors.push(await cpuOf(floor))
    const start = performance.now()
    peers.push(await cpuOf(peer))
    spent += performance.now() - start
    if (peers.length === 1) throwIf(fault(kept.result))
    for (let n = 0; n < FLOORS_TO_SETTLE; n++) await cpuOf(floor)
    for (let n = 0; n < FLOORS; n++) floors.push(await cpuOf(floor))
  }
  const skipped = Math.min(WARM_UP, Math.floor(peers.length / 2))
  const counted = peers.slice(skipped)
  return {
    ratio: median(counted) / median(floors.slice(skipped * 2 * FLOORS)),
    rounds: counted.length,
    seconds: spent / 1000 / peers.length,
  }
}

function throwIf(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault)
}
