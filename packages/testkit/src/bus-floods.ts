import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Bus } from '@millrace/server/bus'
import { type BusBench, eventually, type Pair, promise } from './bus-bench.ts'
import { createGate } from './bus-gate.ts'
import { expect } from './expectation.ts'
import { it } from './runner.ts'

/** Listens to topics and notes, for each, what had been published when its listener was last called. */
async function watchStates(bus: Bus, topics: readonly string[], stateOf: (topic: string) => number) {
  const seen = new Map<string, number>()
  for (const topic of topics) bus.subscribe(topic, () => seen.set(topic, stateOf(topic)))
  await bus.ready()
  return seen
}

interface Flood {
  readonly messages: number
  readonly topics: number
  readonly size: number
}

/** Publishes at once. Throws unless every listener is called after the last message of its topic. */
async function flood({ one, other }: Pair, { messages, topics, size }: Flood): Promise<void> {
  const names = Array.from({ length: topics }, (_, index) => `run:${index}`)
  const states = new Map(names.map((name) => [name, 0]))
  const stateOf = (name: string) => states.get(name) ?? 0
  const seen = await watchStates(other, names, stateOf)
  const filling = 'x'.repeat(size)
  for (let count = 0; count < messages; count++) {
    const name = names[count % topics] as string
    states.set(name, stateOf(name) + 1)
    one.publish(name, `${count} ${filling}`)
  }
  for (const name of names) await eventually(`the last of ${name}`, () => seen.get(name) === messages / topics)
}

/** Far more than a bus may keep. */
const MESSAGES = 200_000
/** Of retained memory, in bytes. */
const MOST_GROWTH = 24 * 1024 * 1024

function retainedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** The promises of a bus about more messages than it can send at once. */
export function floodPromises(bench: BusBench): void {
  promise(bench, 'rings every listener after the last of 10,000 messages of a topic', (pair) =>
    flood(pair, { messages: 10_000, topics: 1, size: 0 }),
  )

  promise(bench, 'rings every listener after the last of 10,000 messages of 500 topics', (pair) =>
    flood(pair, { messages: 10_000, topics: 500, size: 0 }),
  )

  promise(bench, 'rings every listener after the last of messages that fill any memory', (pair) =>
    flood(pair, { messages: 40_000, topics: 8, size: 1_000 }),
  )

  if (bench.member.confined !== undefined) return

  for (const topics of [10, 200_000]) {
    it(`keeps a bounded part of what it cannot send to ${topics} topics, and rings their listeners later`, async () => {
      await using gate = await createGate((await bench.server()).url)
      const [{ bus: one }, other] = await Promise.all([bench.openSoon({ url: gate.url }), bench.open()])
      let state = 0
      const seen = await watchStates(other, ['run:0', 'run:1'], () => state)
      await one.ready()
      gate.shut()
      const before = retainedBytes()
      for (; state < MESSAGES; state++) {
        one.publish(`run:${state % topics}`, `${state} ${'x'.repeat(1_000)}`)
        if (state % 10_000 === 0) await setTimeout(1)
      }
      const growth = retainedBytes() - before
      expect(growth < MOST_GROWTH, `a growth of ${growth} bytes is bounded`).toBe(true)
      gate.open()
      for (const topic of ['run:0', 'run:1']) await eventually(`${topic} is rung`, () => seen.get(topic) === state)
    })
  }
}
