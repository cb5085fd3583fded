import { Worker } from 'node:worker_threads'
import { quantile } from './at-once.ts'
import type { Address } from './server-process.ts'

export interface Health {
  /** How often there was no answer of 200. */
  readonly unanswered: number
  /** How long the answers took, in ms. One that did not come counts as its whole wait. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** What the thread sends when it is stopped. */
export interface HealthSamples {
  readonly unanswered: number
  readonly delays: readonly number[]
}

/**
 * Asks for the server's health over and over until it is stopped: how long the answer takes is how long the server's
 * event loop was held up. A thread of its own asks, so that what the caller is busy with does not count.
 */
export function recordHealth({ port }: Address): { stop(): Promise<Health> } {
  const worker = new Worker(new URL('./health-worker.ts', import.meta.url), { workerData: { port } })
  return {
    async stop() {
      const { unanswered, delays } = await new Promise<HealthSamples>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('stop')
      })
      await worker.terminate()
      const rounded = delays.map((delay) => Math.round(delay))
      const longest = rounded.reduce((most, delay) => Math.max(most, delay), 0)
      return { unanswered, p50: quantile(rounded, 0.5), p99: quantile(rounded, 0.99), longest }
    },
  }
}
