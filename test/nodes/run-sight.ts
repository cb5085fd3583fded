import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type NodeProcess, until } from './node-process.ts'

interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

interface RunView {
  readonly threadId: string
  readonly state: string
  readonly outcome?: string
  readonly rawRecords: number
}

const eventsIn = (frames: string): Event[] =>
  [...frames.matchAll(/^data: (\{"seq":.*\})$/gm)].map(([, line = '']) => (JSON.parse(line) as { event: Event }).event)

export async function jsonOf<Body>(node: NodeProcess, path: string): Promise<Body> {
  const answer = await node.ask(path)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}

export const runAt = (node: NodeProcess, runId: string) => jsonOf<RunView>(node, `/api/runs/${runId}`)

/** Follows a live run at a node until it has the wanted event, and resolves with that. */
export async function seenAt(node: NodeProcess, runId: string, isWanted: (event: Event) => boolean): Promise<Event> {
  const leaving = new AbortController()
  const answer = await node.ask(`/api/runs/${runId}/stream?wire=native`, { signal: leaving.signal })
  expect(answer.status).toBe(200)
  let text = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const found = eventsIn(text).find(isWanted)
    if (found === undefined) continue
    leaving.abort()
    return found
  }
  throw new Error(`The run has ended without it: ${text.slice(-1_000)}`)
}

/** What a node serves of an ended run. */
async function sightAt(node: NodeProcess, runId: string) {
  const run = await runAt(node, runId)
  const stream = await (await node.ask(`/api/runs/${runId}/stream?wire=native`)).text()
  const raw = await (await node.ask(`/api/runs/${runId}/raw`)).text()
  return { run, stream, raw, thread: await jsonOf(node, `/api/threads/${run.threadId}`) }
}

/**
 * A thread changes once more after the end of its run, when what was said in it has been read for the search: sights before
 * and after that differ.
 */
async function sightsOf(nodes: readonly NodeProcess[], runId: string) {
  const look = () => Promise.all(nodes.map((node) => sightAt(node, runId)))
  let sights = await look()
  for (let round = 0; round < MOST_LOOKS && !areEqual(sights); round++) sights = await look()
  return sights
}

const MOST_LOOKS = 20

const areEqual = ([first, ...others]: readonly unknown[]) => others.every((other) => isDeepStrictEqual(other, first))

/** The run ends, exactly once, and every node serves the same of it and verifies it. Resolves with its events. */
export async function expectOneRun(
  nodes: readonly NodeProcess[],
  runId: string,
  outcome: string,
): Promise<readonly Event[]> {
  for (const node of nodes) await until(`${runId} ends`, async () => (await runAt(node, runId)).state === 'ended')
  const [sight, ...others] = await sightsOf(nodes, runId)
  expect(sight?.run.outcome).toBe(outcome)
  for (const other of others) expect(other).toEqual(sight)
  const events = eventsIn(sight?.stream ?? '')
  expect(events.filter(({ type }) => type === 'run-end')).toMatchObject([{ outcome }])
  for (const node of nodes) {
    expect(await jsonOf(node, `/api/runs/${runId}/verify`)).toMatchObject({ reread: 'same', problems: [] })
  }
  return events
}
