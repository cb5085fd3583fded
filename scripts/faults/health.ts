import { ask } from './asking.ts'
import type { Address } from './server-process.ts'

const EVERY = 50

export interface HealthRecord {
  /** Stops asking. Gives how often there was no good answer, and the longest wait, in ms. */
  stop(): Promise<{ readonly unanswered: number; readonly longest: number }>
}

/** Asks a server how it is, again and again, as somebody would who watches it. */
export function recordHealth(server: Address): HealthRecord {
  let isAsking = true
  let unanswered = 0
  let longest = 0
  async function askOn(): Promise<void> {
    while (isAsking) {
      const began = performance.now()
      const status = await ask(server, '/api/health').then(
        (answer) => answer.status,
        () => 0,
      )
      if (status !== 200) unanswered++
      longest = Math.max(longest, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, EVERY))
    }
  }
  const asked = askOn()
  return {
    async stop() {
      isAsking = false
      await asked
      return { unanswered, longest: Math.round(longest) }
    },
  }
}
