/** Values at numbers that are equally far apart. When there are too many, every second one is given up. */
export interface Spaced<Value> {
  /** Keeps the value if a number that is due has come. Numbers only increase. */
  offer(number: number, make: () => Value): void
  exactly(number: number): Value | undefined
  /** The last one at or before a number. */
  atOrBefore(number: number): { readonly seq: number; readonly value: Value } | undefined
}

export function createSpaced<Value>({ every, most }: { readonly every: number; readonly most: number }): Spaced<Value> {
  let step = every
  /** The value at `step`, at `2 * step`, and so on. */
  let values: Value[] = []
  return {
    offer(number, make) {
      if (number !== (values.length + 1) * step) return
      values.push(make())
      if (values.length < most) return
      values = values.filter((_, index) => index % 2 === 1)
      step *= 2
    },
    exactly: (number) => (number % step === 0 ? values[number / step - 1] : undefined),
    atOrBefore(number) {
      const count = Math.min(values.length, Math.floor(number / step))
      const value = values[count - 1]
      return value === undefined ? undefined : { seq: count * step, value }
    },
  }
}
