// Loaded into a server before it starts, in each of its threads: a socket answers with what they hold after a collection.

import { createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'
import type { Held } from './heap.ts'

type Message = { readonly begun: number } | 'measure' | { readonly by: number; readonly held: number }

/** A worker that does not answer for so many milliseconds has ended. */
const GONE_AFTER = 2_000

const channel = new BroadcastChannel('heap-probe')
const post = (message: Message) => channel.postMessage(message)

/** In bytes. Collected more than once: what has a finalizer goes later. */
async function held(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

if (isMainThread) serve(process.env.HEAP_PROBE ?? '')
else answer()

/** In a worker. */
function answer(): void {
  channel.onmessage = async ({ data }) => {
    if (data === 'measure') post({ by: threadId, held: await held() })
  }
  channel.unref()
  post({ begun: threadId })
}

function serve(path: string): void {
  const workers = new Map<number, PromiseWithResolvers<number | undefined>>()
  channel.onmessage = ({ data }) => {
    const message = data as Message
    if (message === 'measure') return
    if ('begun' in message) workers.set(message.begun, Promise.withResolvers())
    else workers.get(message.by)?.resolve(message.held)
  }
  channel.unref()
  const answerOf = async (id: number, { promise, resolve }: PromiseWithResolvers<number | undefined>) => {
    const timer = setTimeout(() => resolve(undefined), GONE_AFTER)
    const answer = await promise
    clearTimeout(timer)
    if (answer === undefined) workers.delete(id)
    return answer === undefined ? undefined : { id, bytes: answer }
  }
  const server = createServer(async (socket) => {
    for (const id of workers.keys()) workers.set(id, Promise.withResolvers())
    post('measure')
    const answers = await Promise.all([...workers].map(([id, answer]) => answerOf(id, answer)))
    const ofWorkers = answers.filter((answer) => answer !== undefined)
    socket.end(JSON.stringify({ main: await held(), workers: ofWorkers } satisfies Held))
  })
  server.listen(path).unref()
}
