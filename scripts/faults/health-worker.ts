import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY = 50
const LONGEST = 60_000

const { port } = workerData as { readonly port: number }
const agent = new Agent({ keepAlive: true })
const delays: number[] = []
let isStopped = false

parentPort?.once('message', () => {
  isStopped = true
})

while (!isStopped) {
  const began = performance.now()
  await asked()
  delays.push(performance.now() - began)
  await setTimeout(EVERY)
}
parentPort?.postMessage(delays)

/** Resolves with the answer, or when there is none. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/health', agent, timeout: LONGEST }, (response) => {
      response.resume().on('close', resolve)
    })
    request.on('timeout', () => request.destroy()).on('error', () => resolve())
  })
}
