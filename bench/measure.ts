/** One piece of work, done once per call. What it returns is kept alive so that nothing is optimised away. */
export type Work = () => unknown

const kept: { result: unknown } = { result: undefined }

/** CPU time of one call in microseconds, all threads of the process counted. */
function cpuOf(work: Work): number {
  // Only the young heap: a full collection also throws away what the engine has learnt about the code.
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  kept.result = work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/**
 * Medians of works that are run in turn, round after round, so that a noisy moment hits them all. A few rounds come
 * first that do not count: they warm the code up.
 */
export function measure<Name extends string>(
  works: { readonly [N in Name]: Work },
  rounds: number,
): Record<Name, number> {
  const names = Object.keys(works) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -3; round < rounds; round++) {
    for (const name of names) {
      const time = cpuOf(works[name])
      if (round >= 0) times[name].push(time)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

/** Heap that a work's result holds, in bytes. */
export function heapOf(work: Work): number {
  kept.result = undefined
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  kept.result = work()
  globalThis.gc?.()
  const held = process.memoryUsage().heapUsed - before
  kept.result = undefined
  return held
}

/** A small work done ten times: as long, and as hard on the heap, as the large one that its growth is measured against. */
export function tenTimes(work: Work): Work {
  return () => {
    let last: unknown
    for (let time = 0; time < 10; time++) last = work()
    return last
  }
}
