import { createRandom } from '@millrace/testkit/seeded'
import { quantile } from './at-once.ts'
import type { Fault } from './fault.ts'
import { printOf } from './frames.ts'
import { megabytes, recordMemory, tooMuch } from './memory.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { type ServerProcess, withServer } from './server-process.ts'
import { largeStream, type Stream } from './streams.ts'
import { watch } from './viewer.ts'

const HEALTHY = 3
const PIECE = 64 * 1024
/** For some MB a second: without pauses of the producer, a delay measures only the length of the queue. */
const PAUSE_MS = 12
/** In MB. */
const MOST_PER_VIEWER = 2
/** Below this, the growth of the process itself hides the cost of a viewer. */
const FEW = 10
const patience = { stallAfter: 1_000, heartbeat: 15_000, resumeWithin: 60_000 }

/** Viewers that open the stream and do not read, beside some that do. */
export const stalled: Fault = {
  name: 'F8 stalled viewers',
  promise: `they cost less than ${MOST_PER_VIEWER} MB each, are cut and resume exactly; viewers that read see everything`,
  sizes: { full: { count: 50, megabytes: 64 }, small: { count: 3, megabytes: 4 } },
  run: (size, seed) =>
    withServer(async (server) => {
      const stream = largeStream(size.megabytes)
      // The baseline is the same work without stalled viewers, once the process is warm.
      if (size.count >= FEW) await watchedRun(server, stream, 0, seed)
      const alone = size.count >= FEW ? await watchedRun(server, stream, 0, seed + 1) : undefined
      const beside = await watchedRun(server, stream, size.count, seed + 2)
      const each = alone && Math.max(0, (beside.growth ?? 0) - (alone.growth ?? 0)) / size.count
      return {
        tried: `${size.count} viewers of a run of ${size.megabytes} MB`,
        broken: [...beside.problems, ...tooMuch('per stalled viewer', each, MOST_PER_VIEWER)],
        figures: [
          `growth with them ${megabytes(beside.growth)}, without them ${megabytes(alone?.growth)}`,
          `so ${megabytes(each)} per stalled viewer`,
          `p99 delay of the others: ${beside.delay} ms, without stalled ones ${alone?.delay} ms`,
        ],
      }
    }, patience),
}

async function watchedRun(server: ServerProcess, stream: Stream, stalledCount: number, seed: number) {
  const runId = `run-${seed}`
  const memory = recordMemory(server)
  const release = Promise.withResolvers<void>()
  const delays: number[] = []
  const onFrame = ({ data }: { readonly data: string }) => {
    const at = /"at":(\d+)/.exec(data)?.[1]
    if (at !== undefined) delays.push(Date.now() - Number(at))
  }
  const kind = { wire: 'native', by: 'sse', keep: printOf } as const
  const healthy = Array.from({ length: HEALTHY }, () => watch({ server, runId, ...kind, onFrame }))
  const still = Array.from({ length: stalledCount }, () =>
    watch({ server, runId, ...kind, stall: release.promise, patience: 180_000 }),
  )
  await produce({
    server,
    runId,
    stream,
    random: createRandom(seed),
    pauseMs: PAUSE_MS,
    piece: PIECE,
    patience: 180_000,
  })
  const exact = await Promise.all(healthy)
  // All stalled viewers have been cut by now, or the promise is broken.
  await new Promise((resolve) => setTimeout(resolve, patience.stallAfter + 500))
  const growth = memory.growth()
  memory.stop()
  release.resolve()
  const resumed = await Promise.all(still)
  const uncut = resumed.filter(({ connections }) => connections < 2).length
  const sights = [...exact, ...resumed].map(
    ({ frames }, index): Sight => ({ viewer: `viewer ${index}`, ...kind, frames }),
  )
  const problems = stalledCount === 0 ? [] : await judge(server, runId, stream, sights)
  const delay = Math.round(quantile(delays, 0.99))
  return { growth, delay, problems: uncut === 0 ? problems : [...problems, `${uncut} stalled viewers were not cut`] }
}
