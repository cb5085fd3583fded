import { createRandom } from '@millrace/testkit/seeded'
import { ask } from './asking.ts'
import type { Fault } from './fault.ts'
import { printOf } from './frames.ts'
import { recordHealth } from './health.ts'
import { heldText, leakProblems, MOST_RESIDENT, type Rest, withProbedServer } from './heap.ts'
import { megabytes, recordMemory, tooMuch } from './memory.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import type { Address } from './server-process.ts'
import { bodyOf, streamOf } from './streams.ts'
import { transports, watch } from './viewer.ts'

const PRODUCERS = 20
/** Of a load of seconds: it shows a leak all the same, because each part ends with a rest. */
const FEW_PRODUCERS = 8
const VIEWERS_EACH = 5
const RECORDS = 400
const CUTS_EACH = 4
const BREAKS_EACH = 2

/** In seconds. */
const SHORT = 10

/** After each part of the load the server rests, and its heaps are asked. The first two parts warm it up. */
const PARTS = 4

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
  promise: 'every run is exact for every viewer, none is left open, and nothing of an ended run stays in memory',
  sizes: { full: { count: 300, megabytes: 0 }, small: { count: 1, megabytes: 0 } },
  run: ({ count: seconds }, seed) =>
    withProbedServer(async (server, held) => {
      const producers = seconds < SHORT ? FEW_PRODUCERS : PRODUCERS
      const counts: Counts = { runs: 0, frames: 0, cuts: 0, breaks: 0 }
      const health = recordHealth(server)
      const resident = recordMemory(server)
      const broken: string[] = []
      const rests: Rest[] = []
      for (let part = 0; part < PARTS; part++) {
        const deadline = Date.now() + (seconds / PARTS) * 1_000
        const lanes = Array.from({ length: producers }, (_, lane) =>
          runLane(server, seed + lane * 10_000 + part * 1_000_000, deadline, counts),
        )
        broken.push(...(await Promise.all(lanes)).flat())
        rests.push({ runs: counts.runs, held: await held() })
      }
      const { p50, p99, longest } = await health.stop()
      resident.stop()
      broken.push(...(await openRuns(server)), ...leakProblems(rests))
      broken.push(...tooMuch('resident memory', resident.most(), MOST_RESIDENT))
      return {
        tried: `${seconds} s, ${producers} producers, ${producers * VIEWERS_EACH} viewers`,
        broken,
        figures: [
          `${counts.runs} runs, ${counts.frames} frames, ${counts.breaks} broken producers, ${counts.cuts} cut viewers`,
          `held at rest, after a collection: ${rests.map(heldText).join(', ')}; resident at most ${megabytes(resident.most())}`,
          `health: p50 ${p50} ms, p99 ${p99} ms, at most ${longest} ms`,
        ],
      }
    }),
}

/** One run after another until the time is over; each is checked when it has ended. */
async function runLane(server: Address, seed: number, deadline: number, counts: Counts): Promise<readonly string[]> {
  const broken: string[] = []
  for (let round = 0; round === 0 || Date.now() < deadline; round++) {
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
  const watched = await watch({ server, runId, wire, by, cutAfter, onCut, ...keep })
  counts.frames += watched.frames.length
  return { ...watched, viewer: `${wire} over ${by}`, wire, by, ...keep }
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
