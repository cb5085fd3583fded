import { createRandom } from '@millrace/testkit/seeded'
import { ask } from './asking.ts'
import type { Fault } from './fault.ts'
import { printOf } from './frames.ts'
import { recordHealth } from './health.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { type Address, type ServerProcess, withServer } from './server-process.ts'
import { bodyOf, streamOf } from './streams.ts'
import { transports, watch } from './viewer.ts'

const PRODUCERS = 20
const VIEWERS_EACH = 5
const RECORDS = 400
const CUTS_EACH = 4
const BREAKS_EACH = 2

/** How far the memory of the last third may be above that of the middle third, in MB: a level is not exact. */
const LEVEL = 64

/**
 * A heap that may grow to gigabytes is collected rarely, and the system's allocator keeps a store of freed memory for each
 * thread: both grow for minutes under load, and would hide what is never freed.
 */
const TIGHT = { NODE_OPTIONS: '--max-old-space-size=256', MALLOC_ARENA_MAX: '2' }

/** In seconds. A process that has just started still grows, so a shorter load shows no level. */
const SETTLED_AFTER = 60

const wires = ['native', 'ai-sdk', 'ag-ui', 'agent-event', 'event-segments'] as const

interface Counts {
  runs: number
  frames: number
  cuts: number
  breaks: number
}

/** Everything at once, for some seconds: producers that break off, viewers that are cut, every wire, both transports. */
export const load: Fault = {
  name: 'F23 mixed load',
  promise: 'every run is exact for every viewer, none is left open, and memory stays level',
  sizes: { full: { count: 300, megabytes: 0 }, small: { count: 1, megabytes: 0 } },
  run: ({ count: seconds }, seed) =>
    withServer(
      async (server) => {
        const counts: Counts = { runs: 0, frames: 0, cuts: 0, breaks: 0 }
        const deadline = Date.now() + seconds * 1_000
        const memory = sampleMemory(server)
        const health = recordHealth(server)
        const lanes = await Promise.all(
          Array.from({ length: PRODUCERS }, (_, lane) => runLane(server, seed + lane * 10_000, deadline, counts)),
        )
        const { p50, p99, longest } = await health.stop()
        const level = memory.stop()
        const broken = [
          ...lanes.flat(),
          ...(await openRuns(server)),
          ...(seconds > SETTLED_AFTER ? levelProblems(level) : []),
        ]
        return {
          tried: `${seconds} s, ${PRODUCERS} producers, ${PRODUCERS * VIEWERS_EACH} viewers`,
          broken,
          figures: [
            `${counts.runs} runs, ${counts.frames} frames, ${counts.breaks} broken producers, ${counts.cuts} cut viewers`,
            `memory by thirds: ${level.map((third) => third.toFixed(0)).join(', ')} MB`,
            `health: p50 ${p50} ms, p99 ${p99} ms, at most ${longest} ms`,
          ],
        }
      },
      undefined,
      TIGHT,
    ),
}

/** One run after another until the time is over; each is checked when it has ended. */
async function runLane(server: Address, seed: number, deadline: number, counts: Counts): Promise<readonly string[]> {
  const broken: string[] = []
  for (let round = 0; Date.now() < deadline; round++) {
    const problems = await runOnce(server, seed + round, counts).catch((error: unknown) => [String(error)])
    broken.push(...problems.map((problem) => `seed ${seed + round}: ${problem}`))
    counts.runs++
  }
  return broken
}

async function runOnce(server: Address, seed: number, counts: Counts): Promise<readonly string[]> {
  const random = createRandom(seed)
  const runId = `load-${seed}`
  const stream = streamOf(seed, RECORDS)
  const { length } = bodyOf(stream)
  let breaksLeft = BREAKS_EACH
  const breakAfter = () => {
    if (breaksLeft-- <= 0) return Number.POSITIVE_INFINITY
    counts.breaks++
    return Math.floor(random() * length)
  }
  const sights = Array.from({ length: VIEWERS_EACH }, (_, index) => watchWithCuts(server, runId, seed + index, counts))
  await produce({ server, runId, stream, random, pauseMs: 4, breakAfter })
  return judge(server, runId, stream, await Promise.all(sights))
}

async function watchWithCuts(server: Address, runId: string, seed: number, counts: Counts): Promise<Sight> {
  const random = createRandom(seed)
  const wire = wires[seed % wires.length] ?? 'native'
  const by = transports[Math.floor(random() * transports.length)] ?? 'sse'
  let cutsLeft = CUTS_EACH
  const onCut = () => {
    cutsLeft--
    counts.cuts++
  }
  const cutAfter = () => (cutsLeft > 0 ? 1 + Math.floor(random() * 20_000) : Number.POSITIVE_INFINITY)
  const keep = wire === 'native' ? {} : { keep: printOf }
  const { frames } = await watch({ server, runId, wire, by, cutAfter, onCut, ...keep })
  counts.frames += frames.length
  return { viewer: `${wire} over ${by}`, wire, by, frames, ...keep }
}

interface ThreadPage {
  readonly threads: readonly { readonly id: string; readonly lastRun?: { readonly state: string } }[]
  readonly next?: string
}

async function openRuns(server: Address): Promise<readonly string[]> {
  const open: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const page: ThreadPage = JSON.parse((await ask(server, `/api/threads?limit=200&after=${next}`)).text)
    const unfinished = page.threads.filter(({ lastRun }) => lastRun?.state !== 'ended')
    open.push(...unfinished.map(({ id, lastRun }) => `${id}: its run is left ${lastRun?.state}`))
    next = page.next
  }
  return open
}

function sampleMemory(server: ServerProcess): { stop(): readonly number[] } {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(server.memory() ?? 0), 250)
  return {
    stop() {
      clearInterval(timer)
      const third = Math.max(1, Math.ceil(samples.length / 3))
      return [0, 1, 2].map((part) => mean(samples.slice(part * third, (part + 1) * third)))
    },
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function levelProblems([, middle = 0, last = 0]: readonly number[]): readonly string[] {
  return last - middle > LEVEL ? [`memory still grew by ${(last - middle).toFixed(0)} MB in the last third`] : []
}
