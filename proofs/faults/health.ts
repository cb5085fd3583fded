import { Worker } from 'node:worker_threads'
import { quantile } from './at-once.ts'
import type { Address } from './server-process.ts'

export interface Health {
  /** How often there was no answer of 200. */
  readonly unanswered: number
  /** How long the answers took, in ms. A missing answer counts with its whole wait. */
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
 * Requests the server's health repeatedly until it is stopped: the time of an answer is the time that the server's event
 * loop was blocked. A thread of its own sends the requests, so that the caller's own work does not count.
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
