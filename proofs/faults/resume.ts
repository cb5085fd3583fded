import { getParser } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { eventsOf } from '@millrace/testkit/read-recording'
import type { Recording } from '@millrace/testkit/recordings'
import { fixtureFolders, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { sample } from '@millrace/testkit/seeded'
import { ingest } from './asking.ts'
import { atOnce } from './at-once.ts'
import type { Fault } from './fault.ts'
import { difference, type Frame, onSocket } from './frames.ts'
import { wholeRun } from './oracle.ts'
import { type Address, withServer } from './server-process.ts'
import { transports, watch } from './viewer.ts'

/** The most events of a run of which every cursor is tried, on every wire. */
const SHORTEST = 12
const LONGEST = 60

const wireNames = Object.keys(wires)

/** A viewer reconnects with each cursor that it can have. */
export const resume: Fault = {
  name: 'F4 resume from every cursor',
  promise: `what was received and what follows is the whole, over SSE and WebSocket, on ${wireNames.join(', ')}`,
  sizes: { full: { count: 22, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server) => {
      const broken: string[] = []
      let cursors = 0
      const runs = sample(fixtureFolders(), count, seed).flatMap((format) => oneOf(format, seed))
      for (const { format, name, bytes } of runs) {
        const runId = await ingest(server, format, bytes)
        for (const wire of wireNames) {
          const checked = await everyCursor(server, runId, wire)
          cursors += checked.cursors
          broken.push(...checked.problems.map((problem) => `${name} on ${wire}: ${problem}`))
        }
      }
      const tried = `${cursors} resumes of ${runs.length} runs`
      return { tried, broken, figures: [`each of another format, on ${wireNames.length} wires over 2 transports`] }
    }),
}

/** A recording of the format that is neither short nor long. */
function oneOf(format: string, seed: number): readonly (Recording & { readonly format: string })[] {
  const fitting = fixturesOf(format).filter(({ records }) => {
    const { length } = eventsOf(getParser(format), records)
    return length >= SHORTEST && length <= LONGEST
  })
  return sample(fitting, 1, seed).map((recording) => ({ ...recording, format }))
}

async function everyCursor(server: Address, runId: string, wire: string) {
  const frames = await wholeRun(server, runId, wire)
  const resumes = frames.flatMap(({ id }, index) =>
    id === undefined ? [] : transports.map((by) => ({ after: id, by, remaining: frames.slice(index + 1) })),
  )
  const found = await atOnce(16, resumes, async ({ after, by, remaining }) => {
    const { frames: seen } = await watch({ server, runId, wire, by, after })
    const parted = difference(seen, by === 'sse' ? onSse(remaining) : onSocket(remaining))
    return parted === undefined ? [] : [`after ${after} over ${by}: ${parted}`]
  })
  return { cursors: resumes.length, problems: found.flat() }
}

/** A client that has every chunk gets no mark of the end. */
const onSse = (frames: readonly Frame[]) => (frames.some(({ id }) => id !== undefined) ? frames : [])
