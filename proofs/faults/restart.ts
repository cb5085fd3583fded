import { setTimeout } from 'node:timers/promises'
import { post } from './asked-runs.ts'
import { ask, ingest, runAt } from './asking.ts'
import { atOnce, quantile } from './at-once.ts'
import type { Fault, Size } from './fault.ts'
import { breakOff } from './raw-sockets.ts'
import { type ServerProcess, startServer, withFolder } from './server-process.ts'
import { bodyOf, streamOf } from './streams.ts'

/** Of the runs in the log: so many wait for their producer, and so many more belong to agents that the kill ends. */
const SHARE_OPEN = 0.05
const RECORDS = 20
const AT_ONCE = 20

/** Runs that wait go on waiting longer than all starts take. */
const PATIENCE = { stallAfter: 30_000, heartbeat: 15_000, resumeWithin: 3_600_000 }

/** How soon a start answers, in ms, and how often that is tried: other work on the machine delays some of them. */
const READY_WITHIN = 1_000
const STARTS = 5

/** How long the server may take to end what the kill has ended, in ms. */
const SETTLED_WITHIN = 30_000

interface Start {
  /** From the start of the process until it answers, in ms. */
  readonly ready: number
  /** What the process computed meanwhile, in ms. */
  readonly worked: number | undefined
  /** The first list of threads after that, in ms. */
  readonly listed: number
  /** Until all runs of agents had ended, in ms. */
  readonly settled: number
  readonly broken: readonly string[]
}

/** A start takes no longer because much is stored. */
export const restart: Fault = {
  name: 'restart with many runs',
  promise: 'after a kill the server answers within 1 s, ends the runs of its agents, and leaves all others as they are',
  sizes: { full: { count: 10_000, megabytes: 0, isTimed: true }, small: { count: 60, megabytes: 0 } },
  run: (size, seed) =>
    withFolder(async (data) => {
      const open = Math.ceil(size.count * SHARE_OPEN)
      const waiting = idsOf('waiting', open)
      let server = await startServer({ data }, 0, PATIENCE)
      try {
        const ended = await fill(server, size.count - 2 * open, waiting, seed)
        const starts: Start[] = []
        for (let nth = 0; nth < (size.isTimed ? STARTS : 1); nth++) {
          const agents = idsOf(`agent-${nth}`, open)
          await atOnce(AT_ONCE, agents, (runId) => beginAgent(server, runId))
          await server.kill()
          const [next, start] = await startAgain(data, { agents, waiting, ended })
          server = next
          starts.push(start)
        }
        return { tried: `${size.count} runs, ${open} wait, ${open} of agents`, ...foundIn(starts, size) }
      } finally {
        await server.kill()
      }
    }),
}

const idsOf = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}-${nth}`)

/** Resolves with some of the runs that have ended. */
async function fill(server: ServerProcess, ended: number, waiting: readonly string[], seed: number) {
  const streams = Array.from({ length: ended }, (_, nth) => seed + nth)
  const runIds = await atOnce(AT_ONCE, streams, (each) => {
    const stream = streamOf(each, RECORDS)
    return ingest(server, stream.format, bodyOf(stream))
  })
  await atOnce(AT_ONCE, waiting, (id) => breakOff(server, id, async () => (await runAt(server, id)) !== undefined))
  return runIds.slice(-waiting.length)
}

async function beginAgent(server: ServerProcess, runId: string): Promise<void> {
  const { status, text } = await post(server, `/api/threads/${runId}/runs`, { agent: 'asking', input: 'Go', runId })
  if (status >= 300) throw new Error(`An agent was answered ${status}: ${text.slice(0, 200)}`)
}

interface Left {
  readonly agents: readonly string[]
  readonly waiting: readonly string[]
  readonly ended: readonly string[]
}

async function startAgain(data: string, left: Left): Promise<readonly [ServerProcess, Start]> {
  const began = performance.now()
  const server = await startServer({ data }, 0, PATIENCE)
  const [ready, worked] = [performance.now() - began, server.worked()]
  await ask(server, '/api/threads')
  const listed = performance.now() - began - ready
  const broken: string[] = []
  const check = async (runIds: readonly string[], state: string, within: number) => {
    const found = await atOnce(AT_ONCE, runIds, (runId) => stateWithin(server, runId, state, within))
    const others = found.filter((each) => each !== state)
    if (others.length > 0) broken.push(`${others.length} of ${runIds.length} are ${others[0]}, not ${state}`)
  }
  await check(left.agents, 'ended', SETTLED_WITHIN)
  const settled = performance.now() - began
  await check([...left.waiting], 'waiting', 0)
  await check([...left.ended], 'ended', 0)
  return [server, { ready, worked, listed, settled, broken }]
}

/** The state of a run once it is this one, or when that has taken too long. */
async function stateWithin(server: ServerProcess, runId: string, state: string, within: number) {
  const deadline = performance.now() + within
  let found = (await runAt(server, runId))?.state
  while (found !== state && performance.now() < deadline) {
    await setTimeout(20)
    found = (await runAt(server, runId))?.state
  }
  return found ?? 'gone'
}

function foundIn(starts: readonly Start[], { isTimed = false }: Size) {
  const fastest = Math.min(...starts.map(({ ready }) => ready))
  const times = (of: (start: Start) => number | undefined) => {
    const values = starts.flatMap((start) => of(start) ?? [])
    return values.length === 0
      ? 'not measured'
      : [0, 0.5, 1].map((share) => Math.round(quantile(values, share))).join(', ')
  }
  const slow = isTimed && fastest >= READY_WITHIN ? [`the fastest start took ${Math.round(fastest)} ms`] : []
  return {
    broken: [...starts.flatMap(({ broken }, nth) => broken.map((each) => `start ${nth + 1}: ${each}`)), ...slow],
    figures: [
      `ready after ${times(({ ready }) => ready)} ms (least, median, most of ${starts.length} starts)`,
      `computed meanwhile: ${times(({ worked }) => worked)} ms`,
      `first list of threads: ${times(({ listed }) => listed)} ms`,
      `all runs of agents ended after ${times(({ settled }) => settled)} ms`,
    ],
  }
}
