import { createRandom } from '@millrace/testkit/seeded'
import { atOnce } from './at-once.ts'
import type { Fault } from './fault.ts'
import { judge } from './oracle.ts'
import { produce } from './producer.ts'
import { withServer } from './server-process.ts'
import { bodyOf, streamOf } from './streams.ts'
import { watch } from './viewer.ts'

const RECORDS = 120
const AT_ONCE = 8

/** Producers break off at any byte, come back under the same attempt or a higher one, and repeat what is durable. */
export const breaks: Fault = {
  name: 'F11, F12 producers that break off',
  promise: 'the partial record is dropped, the run waits, and its log is that of one that never broke off',
  sizes: { full: { count: 200, megabytes: 0 }, small: { count: 6, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server) => {
      const seeds = Array.from({ length: count }, (_, index) => seed + index)
      const rounds = await atOnce(AT_ONCE, seeds, async (each) => {
        const random = createRandom(each)
        const runId = `run-${each}`
        const stream = streamOf(each, RECORDS)
        const { length } = bodyOf(stream)
        let breaksLeft = 1 + Math.floor(random() * 5)
        const breakAfter = () => (breaksLeft-- > 0 ? Math.floor(random() * length) : Number.POSITIVE_INFINITY)
        const sight = watch({ server, runId, wire: 'native', by: 'sse' })
        const { requests } = await produce({ server, runId, stream, random, pauseMs: 0, breakAfter })
        const seen = { viewer: 'viewer', wire: 'native', by: 'sse' as const, ...(await sight) }
        const problems = await judge(server, runId, stream, [seen])
        return { requests, broken: problems.map((problem) => `seed ${each}: ${problem}`) }
      })
      const requests = rounds.reduce((sum, round) => sum + round.requests, 0)
      return {
        tried: `${count} producers`,
        broken: rounds.flatMap((round) => round.broken),
        figures: [`${requests} requests in all`],
      }
    }),
}
