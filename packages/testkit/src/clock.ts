/** Runs something that must not ask for the time or for chance: whoever does, throws. */
export function withoutClock<Result>(act: () => Result): Result {
  const { Date: date, performance } = globalThis
  const { random } = Math
  const refuse = (): never => {
    throw new Error('asked for the time or for chance')
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
