/** How many times the usual number of cases is tried. */
export function effortNow(): number {
  return Number(process.env.MILLRACE_CASES ?? 1)
}

/** Pseudo-random numbers in [0, 1), the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** All items if there are at most `count`, else `count` of them, in order, chosen by the seed. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  if (items.length <= count) return items
  const random = createRandom(seed)
  const chosen: Item[] = []
  for (const [index, item] of items.entries()) {
    const wanted = count - chosen.length
    if (random() * (items.length - index) < wanted) chosen.push(item)
  }
  return chosen
}

/** The numbers from 0 to `last`, both included. */
export function upTo(last: number): readonly number[] {
  return Array.from({ length: last + 1 }, (_, index) => index)
}

/** Calls `act`, in which reading the clock or a random number throws. */
export function withoutClock<Result>(act: () => Result): Result {
  const { Date: date, performance } = globalThis
  const { random } = Math
  const refuse = (): never => {
    throw new Error('read the clock or a random number')
  }
  const refusing = new Proxy(date, {
    construct: (target, values) => (values.length === 0 ? refuse() : Reflect.construct(target, values)),
    get: (target, key) => (key === 'now' ? refuse : Reflect.get(target, key)),
  })
  try {
    Object.assign(globalThis, { Date: refusing, performance: { now: refuse } })
    Math.random = refuse
    return act()
  } finally {
    Object.assign(globalThis, { Date: date, performance })
    Math.random = random
  }
}
