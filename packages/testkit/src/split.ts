import { createRandom, sample, upTo } from './seeded.ts'

/** One way to split bytes into slices. */
export interface Partition {
  /** Where it splits, for the message of a failure. */
  readonly name: string
  readonly slices: readonly Uint8Array[]
}

export interface SplitEffort {
  /** How many cuts into two parts; all positions if there are fewer. */
  readonly twoWayCuts: number
  readonly partitions: number
  /** Larger recordings are not split byte by byte. */
  readonly dripUpTo: number
  readonly seed: number
}

/** Ways to cut the same bytes: byte by byte, in two at each position, and at random into many. */
export function* partitionsOf(bytes: Uint8Array, effort: SplitEffort): Generator<Partition> {
  if (bytes.length <= effort.dripUpTo) yield cut('byte by byte', bytes, upTo(bytes.length))
  for (const at of sample(upTo(bytes.length), effort.twoWayCuts, effort.seed))
    yield cut(`cut at byte ${at}`, bytes, [at])
  for (const index of upTo(effort.partitions - 1)) yield randomPartition(bytes, effort.seed + index)
}

function randomPartition(bytes: Uint8Array, seed: number): Partition {
  const random = createRandom(seed)
  const count = 1 + Math.floor(random() * Math.min(64, bytes.length))
  const cuts = Array.from({ length: count }, () => Math.floor(random() * (bytes.length + 1)))
  return cut(
    `random partition, seed ${seed}`,
    bytes,
    cuts.sort((a, b) => a - b),
  )
}

function cut(name: string, bytes: Uint8Array, cuts: readonly number[]): Partition {
  const slices = cuts.map((at, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], at))
  return { name, slices: [...slices, bytes.subarray(cuts.at(-1) ?? 0)] }
}
