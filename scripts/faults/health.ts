import { setTimeout } from 'node:timers/promises'
import { ask } from './asking.ts'
import type { Address } from './server-process.ts'

const EVERY = 50

export interface HealthRecord {
  /** The longest time that an answer took, in ms, and the number of answers. */
  stop(): Promise<{ readonly slowest: number; readonly asked: number }>
}

/** Asks a server how it is, again and again, until it is stopped: what holds its event loop shows in the answers. */
export function recordHealth(server: Address): HealthRecord {
  let isStopped = false
  let slowest = 0
  let asked = 0
  const asking = (async () => {
    while (!isStopped) {
      const start = performance.now()
      const isWell = await ask(server, '/api/health').then(
        ({ status }) => status === 200,
        () => false,
      )
      slowest = Math.max(slowest, isWell ? performance.now() - start : Number.POSITIVE_INFINITY)
      asked++
      await setTimeout(EVERY)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await asking
      return { slowest, asked }
    },
  }
}
