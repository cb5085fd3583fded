import { wires } from '@millrace/core/wire'
import { createRandom } from '@millrace/testkit/seeded'
import { atOnce } from './at-once.ts'
import type { Fault, Trial } from './fault.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { type Address, withServer } from './server-process.ts'
import { streamOf } from './streams.ts'
import { transports, watch } from './viewer.ts'

const VIEWERS = 16
const RECORDS = 150
/** Of one viewer. It is bounded, because a frame may be larger than any number of bytes between two cuts. */
const CUTS_EACH = 10

const wireNames = Object.keys(wires)

/** Viewers cut their own connections at any byte, also inside a character and inside a frame, while the run goes on. */
export const cuts: Fault = {
  name: 'F3 viewers cut at random bytes',
  promise: `each ends with exactly the run, by the last whole frame it had, live and stored, on ${wireNames.join(', ')}`,
  sizes: { full: { count: 2_000, megabytes: 0 }, small: { count: 60, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server): Promise<Trial> => {
      const broken: string[] = []
      const cutsOf = new Map<string, number>()
      const done = () => [...cutsOf.values()].reduce((sum, number) => sum + number, 0)
      let runs = 0
      // Bounded by the number of runs, too: if no viewer were cut, this would never end.
      for (; done() < count && runs < count; runs++) {
        const problems = await cutRun(server, seed + runs, (kind) => {
          cutsOf.set(kind, (cutsOf.get(kind) ?? 0) + 1)
        })
        broken.push(...problems.map((problem) => `run seed ${seed + runs}: ${problem}`))
      }
      return { tried: `${done()} cuts`, broken, figures: [`${runs} runs, ${VIEWERS} viewers each`, spread(cutsOf)] }
    }),
}

async function cutRun(server: Address, seed: number, onCut: (kind: string) => void) {
  const random = createRandom(seed)
  const runId = `run-${seed}`
  const stream = streamOf(seed, RECORDS)
  const kinds = Array.from({ length: VIEWERS }, (_, index) => {
    const wire = wireNames[(seed + index) % wireNames.length] ?? 'native'
    const by = transports[Math.floor(index / wireNames.length + seed) % transports.length] ?? 'sse'
    let cutsLeft = CUTS_EACH
    const cut = () => {
      cutsLeft--
      onCut(`${wire} over ${by}`)
    }
    const cutAfter = () => (cutsLeft > 0 ? 1 + Math.floor(random() * 9_000) : Number.POSITIVE_INFINITY)
    return { viewer: `viewer ${index}, ${wire} over ${by}`, wire, by, cutAfter, onCut: cut }
  })
  const sights = atOnce(
    VIEWERS,
    kinds,
    async (kind): Promise<Sight> => ({ ...kind, ...(await watch({ server, runId, ...kind })) }),
  )
  await produce({ server, runId, stream, random, pauseMs: 1 })
  return judge(server, runId, stream, await sights)
}

/** How the cuts are spread over wires and transports. */
function spread(cutsOf: ReadonlyMap<string, number>): string {
  const counts = [...cutsOf.values()]
  return `${Math.min(...counts)} to ${Math.max(...counts)} cuts on each of ${counts.length} kinds of connections`
}
