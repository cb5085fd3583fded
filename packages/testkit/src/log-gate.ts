import type { Log } from '@millrace/server/log'

/** A call that waits until the test lets it continue. */
export interface HeldCall {
  /** Resolves when the call waits. */
  readonly reached: Promise<void>
  release(): void
}

/** A log in front of another, whose calls a test holds or lets fail: a race has the same order every time. */
export interface LogGate {
  readonly log: Log
  /** The names of the calls so far, in order. */
  readonly calls: readonly (keyof Log)[]
  /** Holds the call with this number, from 0, before it reaches the log or before its answer reaches the caller. */
  hold(nth: number, at: 'call' | 'answer'): HeldCall
  /** The call with this number rejects, and does not reach the log. */
  fail(nth: number, error: Error): void
}

interface Plan {
  readonly before?: () => Promise<void>
  readonly after?: () => Promise<void>
}

const streams = new Set<keyof Log>(['read', 'inputs'])

export function createLogGate(inner: Log): LogGate {
  const calls: (keyof Log)[] = []
  const plans = new Map<number, Plan>()

  function gated(method: keyof Log) {
    const target = inner[method] as (...values: unknown[]) => unknown
    const begin = () => plans.get(calls.push(method) - 1) ?? {}
    if (streams.has(method)) {
      return async function* (...values: unknown[]) {
        const { before, after } = begin()
        await before?.()
        await after?.()
        yield* target(...values) as AsyncIterable<unknown>
      }
    }
    return async (...values: unknown[]) => {
      const { before, after } = begin()
      await before?.()
      const answer = await target(...values)
      await after?.()
      return answer
    }
  }

  // A hint is not an answer: it cannot be held.
  const { watch } = inner
  const methods = (Object.keys(inner) as (keyof Log)[]).map((method) => [method, gated(method)])
  return {
    log: { ...(Object.fromEntries(methods) as Log), watch },
    calls,
    hold(nth, at) {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const wait = () => {
        reached.resolve()
        return released.promise
      }
      plans.set(nth, at === 'call' ? { before: wait } : { after: wait })
      return { reached: reached.promise, release: released.resolve }
    },
    fail: (nth, error) => void plans.set(nth, { before: () => Promise.reject(error) }),
  }
}
