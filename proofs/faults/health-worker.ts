import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { HealthSamples } from './health.ts'

const EVERY = 50
const LONGEST = 60_000

const { port } = workerData as { readonly port: number }
const agent = new Agent({ keepAlive: true })
const delays: number[] = []
let unanswered = 0
let isStopped = false

parentPort?.once('message', () => {
  isStopped = true
})

while (!isStopped) {
  const began = performance.now()
  if ((await statusOfHealth()) !== 200) unanswered++
  delays.push(performance.now() - began)
  await setTimeout(EVERY)
}
agent.destroy()
parentPort?.postMessage({ unanswered, delays } satisfies HealthSamples)

/** Resolves with 0 if there is no answer. */
function statusOfHealth(): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/health', agent, timeout: LONGEST }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0))
    })
    request.on('timeout', () => request.destroy()).on('error', () => resolve(0))
  })
}
