import { fixtureFolders, fixturesOf } from '@millrace/testkit/fixtures'
import { sample } from '@millrace/testkit/seeded'
import { ingest } from './asking.ts'
import { atOnce } from './at-once.ts'
import type { Fault } from './fault.ts'
import { difference, type Frame } from './frames.ts'
import { wholeRun } from './oracle.ts'
import { type Address, withServer } from './server-process.ts'
import { watch } from './viewer.ts'

const wires = ['native', 'ai-sdk']
const transports = ['sse', 'websocket'] as const

/** A viewer comes back with each cursor that it can have. */
export const resume: Fault = {
  name: 'F4 resume from every cursor',
  promise: 'what was received and what follows is the whole, on native and ai-sdk, over SSE and WebSocket',
  sizes: { full: { count: 20, megabytes: 0 }, small: { count: 3, megabytes: 0 } },
  run: ({ count }, seed) =>
    withServer(async (server) => {
      const recordings = fixtureFolders().flatMap((format) => fixturesOf(format).map((each) => ({ format, ...each })))
      const broken: string[] = []
      let cursors = 0
      for (const { format, name, bytes } of sample(recordings, count, seed)) {
        const runId = await ingest(server, format, bytes)
        for (const wire of wires) {
          const checked = await everyCursor(server, runId, wire)
          cursors += checked.cursors
          broken.push(...checked.problems.map((problem) => `${name} on ${wire}: ${problem}`))
        }
      }
      const runs = Math.min(count, recordings.length)
      return { tried: `${cursors} cursors of ${runs} runs`, broken, figures: [] }
    }),
}

async function everyCursor(server: Address, runId: string, wire: string) {
  const frames = await wholeRun(server, runId, wire)
  const resumes = frames.flatMap((frame, index) =>
    frame.id === undefined
      ? []
      : transports.map((by) => ({ after: frame.id as string, by, rest: frames.slice(index + 1) })),
  )
  const found = await atOnce(16, resumes, async ({ after, by, rest }) => {
    const { frames: seen } = await watch({ server, runId, wire, by, after })
    const parted = difference(seen, by === 'sse' ? rest : withCursor(rest))
    return parted === undefined ? [] : [`after ${after} over ${by}: ${parted}`]
  })
  return { cursors: resumes.length, problems: found.flat() }
}

/** What a WebSocket carries: its end is the connection's, without a word of the wire's own. */
const withCursor = (frames: readonly Frame[]) => frames.filter(({ id }) => id !== undefined)
