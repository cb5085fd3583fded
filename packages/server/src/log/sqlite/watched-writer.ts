import { isTrouble, type LogError } from '../errors.ts'
import type { Channel } from './channel.ts'
import type { Writes } from './writes.ts'

/** The channel to the writing thread, and whether its last write worked. */
export interface WatchedWriter extends Channel<Writes> {
  /** Why the log cannot write; undefined if it can. After a failed write it tries another. */
  trouble(): Promise<LogError | undefined>
}

export function watchedWriter(writer: Channel<Writes>): WatchedWriter {
  let last: LogError | undefined
  let probing: Promise<LogError | undefined> | undefined

  async function watched<Value>(written: Promise<Value>): Promise<Value> {
    try {
      const value = await written
      last = undefined
      return value
    } catch (error) {
      if (isTrouble(error)) last = error
      throw error
    }
  }

  /** At most one probe is under way at a time. */
  function probe(): Promise<LogError | undefined> {
    probing ??= watched(writer.call('probe'))
      .then(
        () => undefined,
        () => last,
      )
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  return {
    ...writer,
    call: (name, ...values) => watched(writer.call(name, ...values)),
    ship: (cargo, name, ...values) => watched(writer.ship(cargo, name, ...values)),
    trouble: async () => (last === undefined ? undefined : probe()),
  }
}
