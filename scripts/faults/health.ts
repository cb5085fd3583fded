import { Worker } from 'node:worker_threads'
import { quantile } from './at-once.ts'
import type { Address } from './server-process.ts'

export interface HealthRecord {
  /** In ms. An answer that did not come counts as its whole wait. */
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/**
 * Asks for the server's health over and over until it is stopped: how long the answer takes is how long the server's
 * event loop was held up. A thread of its own asks, so that what the caller is busy with does not count.
 */
export function probeHealth({ port }: Address): { stop(): Promise<HealthRecord> } {
  const worker = new Worker(new URL('./health-worker.ts', import.meta.url), { workerData: { port } })
  return {
    async stop() {
      const delays = await new Promise<readonly number[]>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('stop')
      })
      await worker.terminate()
      const rounded = delays.map((delay) => Math.round(delay))
      return { p50: quantile(rounded, 0.5), p99: quantile(rounded, 0.99), most: Math.max(0, ...rounded) }
    },
  }
}
