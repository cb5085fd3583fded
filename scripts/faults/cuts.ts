import { createRandom } from '@millrace/testkit/seeded'
import { atOnce } from './at-once.ts'
import type { Fault, Trial } from './fault.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { type Address, withServer } from './server-process.ts'
import { streamOf } from './streams.ts'
import { watch } from './viewer.ts'

const VIEWERS = 16
const RECORDS = 150

/** Viewers cut their own connections at any byte, also inside a character and inside a frame, while the run goes on. */
export const cuts: Fault = {
  name: 'F3 viewers cut at random bytes',
  promise: 'each ends with exactly the run, by the last whole frame it had, live and stored',
  sizes: { full: { count: 2_000, megabytes: 0 }, small: { count: 60, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server): Promise<Trial> => {
      const broken: string[] = []
      let done = 0
      let runs = 0
      // Bounded by the count of runs, too: a viewer that is never cut would let this go on for ever.
      for (; done < count && runs < count; runs++) {
        const { problems, cutCount } = await cutRun(server, seed + runs, count - done)
        done += cutCount
        broken.push(...problems.map((problem) => `run seed ${seed + runs}: ${problem}`))
      }
      return { tried: `${done} cuts`, broken, figures: [`${runs} runs, ${VIEWERS} viewers each`] }
    }),
}

async function cutRun(server: Address, seed: number, wanted: number) {
  const random = createRandom(seed)
  const runId = `run-${seed}`
  const stream = streamOf(seed, RECORDS)
  let cutCount = 0
  const cutAfter = () => {
    if (cutCount >= wanted) return Number.POSITIVE_INFINITY
    cutCount++
    return 1 + Math.floor(random() * 9_000)
  }
  const kinds = Array.from({ length: VIEWERS }, (_, index) => ({
    who: `viewer ${index}`,
    wire: index % 3 === 1 ? 'ai-sdk' : 'native',
    by: index % 5 === 4 ? ('websocket' as const) : ('sse' as const),
  }))
  const sights = atOnce(
    VIEWERS,
    kinds,
    async (kind): Promise<Sight> => ({ ...kind, ...(await watch({ server, runId, ...kind, cutAfter })) }),
  )
  await produce({ server, runId, stream, random, rest: 1 })
  return { problems: await judge(server, runId, stream, await sights), cutCount }
}
