import { createRandom } from '@millrace/testkit/seeded'
import { quantile } from './at-once.ts'
import type { Fault } from './fault.ts'
import { printOf } from './frames.ts'
import { megabytes, recordMemory } from './memory.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { withServer } from './server-process.ts'
import { streamOf } from './streams.ts'
import { watch } from './viewer.ts'

const RECORDS = 120

/** Many viewers of one live run. */
export const many: Fault = {
  name: 'F9 many viewers of one run',
  promise: 'all see exactly the run, live',
  sizes: { full: { count: 1_000, megabytes: 0 }, small: { count: 50, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server) => {
      const runId = `run-${seed}`
      const stream = streamOf(seed, RECORDS)
      const memory = recordMemory(server)
      const delays: number[] = []
      const onFrame = ({ data }: { readonly data: string }) => {
        const at = /^\{"seq":\d+,"at":(\d+)/.exec(data)?.[1]
        if (at !== undefined) delays.push(Date.now() - Number(at))
      }
      const kind = { wire: 'native', by: 'sse', keep: printOf } as const
      // The first pieces are sent before most viewers have connected: some join late.
      const produced = produce({ server, runId, stream, random: createRandom(seed), pauseMs: 20 })
      const watched = Array.from({ length: count }, () => watch({ server, runId, ...kind, onFrame }))
      await produced
      const sights = (await Promise.all(watched)).map(
        ({ frames }, index): Sight => ({ viewer: `viewer ${index}`, ...kind, frames }),
      )
      const growth = memory.growth()
      memory.stop()
      const late = sights.filter(({ frames }) => frames.length === 0).length
      const problems = await judge(server, runId, stream, sights)
      return {
        tried: `${count} viewers`,
        broken: late === 0 ? problems : [...problems, `${late} viewers saw nothing`],
        figures: [
          `from the entry's stamp to the viewer: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`,
          `${megabytes(growth)} more memory, ${megabytes(growth === undefined ? growth : growth / count)} each`,
        ],
      }
    }),
}
