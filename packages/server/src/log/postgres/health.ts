import { isTrouble, type LogError } from '../errors.ts'
import type { Connections } from './connections.ts'

/** Whether the last operation worked. */
export interface Health {
  watched<Value>(operation: Promise<Value>): Promise<Value>
  /** Why the log cannot write; undefined if it can. After a failed operation it tries a write. */
  trouble(): Promise<LogError | undefined>
}

const PROBE = { name: 'probe', text: 'UPDATE store SET probe = probe + 1' }

export function createHealth({ write }: Pick<Connections, 'write'>): Health {
  let last: LogError | undefined
  let probing: Promise<LogError | undefined> | undefined

  async function watched<Value>(operation: Promise<Value>): Promise<Value> {
    try {
      return await operation
    } catch (error) {
      if (isTrouble(error)) last = error
      throw error
    }
  }

  /** At most one probe is under way at a time. */
  async function probe(): Promise<LogError | undefined> {
    try {
      await watched(write('', PROBE))
      last = undefined
    } catch {
      // It is noted.
    }
    return last
  }

  return {
    watched,
    async trouble() {
      if (last === undefined) return undefined
      probing ??= probe().finally(() => {
        probing = undefined
      })
      return probing
    },
  }
}
