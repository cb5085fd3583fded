import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { recordsOf } from '@millrace/testkit/recordings'
import { ask } from './asking.ts'
import { difference, type Frame, onSocket } from './frames.ts'
import type { Address } from './server-process.ts'
import { bodyOf, type Stream } from './streams.ts'
import { watch } from './viewer.ts'

/** What a viewer received of a run, from its first frame to its last. */
export interface Sight {
  readonly viewer: string
  readonly wire: string
  readonly by: 'sse' | 'websocket'
  readonly frames: readonly Frame[]
  /** What was kept of each frame; absent if all of it was. */
  readonly keep?: (frame: Frame) => Frame
  /** Whether its last answer was that nothing follows. */
  readonly hadAll?: boolean
}

/** All frames of a run on a wire, read again over one connection. */
export async function wholeRun(server: Address, runId: string, wire: string): Promise<readonly Frame[]> {
  return (await watch({ server, runId, wire, by: 'sse' })).frames
}

export const entriesOf = (frames: readonly Frame[]): readonly Entry[] =>
  frames.map(({ data }) => JSON.parse(data) as Entry)

/**
 * What is wrong with a run that has ended: it must hold what its producer sent, once and in order, and every viewer must
 * have received exactly that.
 */
export async function judge(
  server: Address,
  runId: string,
  stream: Stream,
  sights: readonly Sight[],
): Promise<readonly string[]> {
  const logged = await wholeRun(server, runId, 'native')
  const onWire = new Map([['native', logged]])
  for (const { wire } of sights) if (!onWire.has(wire)) onWire.set(wire, await wholeRun(server, runId, wire))
  return [
    ...logProblems(entriesOf(logged), stream),
    ...(await rawProblems(server, runId, stream)),
    ...(await verdictProblems(server, runId)),
    ...sights.flatMap((sight) => sightProblems(sight, onWire.get(sight.wire) ?? [], logged)),
  ]
}

function logProblems(entries: readonly Entry[], stream: Stream): readonly string[] {
  const expected = eventsOf(getParser(stream.format), recordsOf('auto', [bodyOf(stream)]))
  const events = entries.map(({ event }) => event)
  const ends = events.filter(({ type }) => type === 'run-end').length
  return [
    ...(entries.every(({ seq }, index) => seq === index + 1) ? [] : ['seq has a gap or a repeat']),
    ...(entries.every(({ at }, index) => at >= (entries[index - 1]?.at ?? 0)) ? [] : ['time goes back']),
    ...(ends === 1 && events.at(-1)?.type === 'run-end' ? [] : [`${ends} run-ends, or one that is not the last`]),
    ...(isDeepStrictEqual(events, JSON.parse(JSON.stringify(expected))) ? [] : [unlike(events, expected)]),
  ]
}

function unlike(events: readonly object[], expected: readonly object[]): string {
  const at = expected.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(events[index]))
  const index = at === -1 ? expected.length : at
  return `the log has ${events.length} events, not ${expected.length}; ${JSON.stringify(events[index])} at ${index}`
}

async function rawProblems(server: Address, runId: string, { lines }: Stream): Promise<readonly string[]> {
  const { text } = await ask(server, `/api/runs/${runId}/raw?shape=objects`)
  const kept = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  return isDeepStrictEqual(kept, lines) ? [] : [`${kept.length} raw records are kept, ${lines.length} were sent`]
}

async function verdictProblems(server: Address, runId: string): Promise<readonly string[]> {
  const { text } = await ask(server, `/api/runs/${runId}/verify`)
  const { ok, problems } = JSON.parse(text) as { ok: boolean; problems: readonly string[] }
  return ok ? [] : [`verify says: ${problems?.join(' ')}`]
}

/** Whether the mark of the end must be among its frames: a viewer that came back with every chunk got the mark before, or never. */
const hasMark = ({ by, hadAll = false, frames }: Sight) => by === 'sse' && (!hadAll || frames.at(-1)?.id === undefined)

function sightProblems(sight: Sight, expected: readonly Frame[], logged: readonly Frame[]): readonly string[] {
  const whole = hasMark(sight) ? expected : onSocket(expected)
  const parted = difference(sight.frames, sight.keep === undefined ? whole : whole.map(sight.keep))
  if (parted !== undefined) return [`${sight.viewer}: ${parted}`]
  if (sight.wire !== 'native' || sight.keep !== undefined) return []
  const isSame = isDeepStrictEqual(fold(entriesOf(sight.frames)), fold(entriesOf(logged)))
  return isSame ? [] : [`${sight.viewer}: folds to something else than the log`]
}
