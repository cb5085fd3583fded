import type { Append, Log } from './log.ts'

/** Hears what is asked of a log. It is called once for each call of the log, never once for each event. */
export interface LogObserver {
  /** An append is durable, so many milliseconds after it was handed over. */
  onAppend(append: Append, milliseconds: number): void
  /** A command was stored. */
  onCommand(): void
  /** Somebody looked for runs without an owner. */
  onSweep(): void
}

/** The same log, observed. Calls that fail are not counted. */
export function countedLog(log: Log, observer: LogObserver): Log {
  const counted: Partial<Log> = {
    async append(runId, position, append) {
      const begin = performance.now()
      const lines = await log.append(runId, position, append)
      observer.onAppend(append, performance.now() - begin)
      return lines
    },
    async tell(runId, command) {
      const stored = await log.tell(runId, command)
      observer.onCommand()
      return stored
    },
    async expired() {
      const runs = await log.expired()
      observer.onSweep()
      return runs
    },
  }
  // A copy of its methods would not do: a log may be an object of a class.
  return new Proxy(log, {
    get(target, name) {
      const own = counted[name as keyof Log]
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
