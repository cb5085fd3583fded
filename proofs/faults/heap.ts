import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, withFolder, withServer } from './server-process.ts'

const PROBE = fileURLToPath(new URL('./heap-probe.ts', import.meta.url))

/** What the threads of a server hold after a collection, in bytes: heaps and what belongs to them outside. */
export interface Held {
  readonly main: number
  readonly workers: readonly { readonly id: number; readonly bytes: number }[]
}

/** What was held when nothing was served any more, after so many runs. */
export interface Rest {
  readonly runs: number
  readonly held: Held
}

/** Of the process, in MB: heaps, and what the allocator keeps for its threads. A leak is found long before. */
export const MOST_RESIDENT = 1_024

/** What may be left of a run that has ended, in bytes: its entries alone are more. */
const MOST_PER_RUN = 4_096

/** In bytes: machine code and its feedback come and go. */
const NOISE = 1_024 ** 2

/** How long a server may need to let go of closed connections, in ms. */
const SETTLES_WITHIN = 500

/**
 * What a process holds says little about leaks: a heap is collected rarely, and the allocator keeps a store of freed memory
 * for each thread. So a probe in the server, which only the rig loads, collects each heap before it measures.
 */
export function withProbedServer<Result>(
  act: (server: ServerProcess, held: () => Promise<Held>) => Promise<Result>,
): Promise<Result> {
  return withFolder((folder) => {
    const socket = join(folder, 'probe')
    const held = async () => {
      await sleep(SETTLES_WITHIN)
      return JSON.parse(await text(createConnection(socket))) as Held
    }
    const environment = { HEAP_PROBE: socket, NODE_OPTIONS: `--expose-gc --import=${PROBE}`, MALLOC_ARENA_MAX: '2' }
    return withServer((server) => act(server, held), undefined, environment)
  })
}

/** Of the threads that were there both times: one that has ended or begun meanwhile would hide a leak, or look like one. */
function growthOf(from: Held, to: Held): number {
  const before = new Map(from.workers.map(({ id, bytes }) => [id, bytes]))
  return to.workers.reduce((sum, { id, bytes }) => sum + bytes - (before.get(id) ?? bytes), to.main - from.main)
}

export const heldText = ({ runs, held: { main, workers } }: Rest): string =>
  `${[main, ...workers.map(({ bytes }) => bytes)].map((bytes) => (bytes / 1_024 ** 2).toFixed(1)).join(' + ')} MB after ${runs} runs`

/** The problem if runs that have ended are still held: of those of the last half, because a new process still grows. */
export function leakProblems(rests: readonly Rest[]): readonly string[] {
  const [from, to] = [rests.at(-3), rests.at(-1)]
  if (from === undefined || to === undefined) return ['too few rests to see a leak']
  const growth = growthOf(from.held, to.held)
  const runs = to.runs - from.runs
  if (growth <= NOISE + runs * MOST_PER_RUN) return []
  return [`${runs} ended runs left ${Math.round(growth / 1_024)} KB behind, ${Math.round(growth / runs)} bytes each`]
}
