import { setTimeout } from 'node:timers/promises'
import { createRandom } from '@millrace/testkit/seeded'
import { ask, runAt } from './asking.ts'
import type { Fault, Trial } from './fault.ts'
import { judge, type Sight } from './oracle.ts'
import { produce } from './producer.ts'
import { type Address, startServer } from './server-process.ts'
import { type SmallDisk, withSmallDisk } from './small-disk.ts'
import { streamOf } from './streams.ts'
import { watch } from './viewer.ts'

const RECORDS = 400
/** How long anything may take in addition to the time that the disk is full, in ms. */
const PATIENCE = 60_000
/** How long a run may stay open once there is room again: the longest pause between two tries, and a margin. */
const RECOVERS_WITHIN = 25_000

/** The disk is full for longer than runs wait for their producers, and then has room again. */
export const fullDisk: Fault = {
  name: 'F10 a full disk',
  promise:
    'nothing is acknowledged that is not stored, health and uploads name the reason, viewers are cut, and every run ends by itself when there is room',
  sizes: { full: { count: 90, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
  run: ({ count: seconds }, seed) =>
    withSmallDisk(async (disk) => {
      const resumeWithin = seconds > 60 ? 60_000 : 1_000
      const server = await startServer({ data: disk.data }, 0, { stallAfter: 30_000, heartbeat: 1_000, resumeWithin })
      try {
        return await fillAndFree(server, disk, seconds, seed)
      } finally {
        await server.kill()
      }
    }),
}

async function fillAndFree(server: Address, disk: SmallDisk, seconds: number, seed: number): Promise<Trial> {
  const patience = seconds * 1_000 + PATIENCE
  const broken: string[] = []
  const expect = (what: string, got: unknown, expected: unknown) => {
    if (got !== expected) broken.push(`${what}: ${got}, not ${expected}`)
  }
  const stream = streamOf(seed, RECORDS)
  const random = createRandom(seed)
  await start(server)
  const kinds = [
    { viewer: 'viewer', wire: 'native', by: 'sse' },
    { viewer: 'WebSocket viewer', wire: 'native', by: 'websocket' },
  ] as const
  const watched = Promise.all(
    ['fed', 'own'].flatMap((runId) =>
      kinds.map(async (kind) => ({ runId, ...kind, ...(await watch({ server, runId, ...kind, patience })) })),
    ),
  )
  const produced = produce({ server, runId: 'fed', stream, random, pauseMs: 5, patience })
  for (const promise of [watched, produced]) promise.catch(() => undefined)
  await setTimeout(500)

  disk.fill()
  await exhaust(server)
  const filled = Date.now()
  expect('health of a full disk', (await ask(server, '/api/health')).status, 503)
  expect('its reason', /no room left/.test((await ask(server, '/api/health')).text), true)
  expect('a new run', (await ingestOnce(server, 'late')).status, 507)
  if (disk.kind.startsWith('a file system')) expect('an upload', (await upload(server)).status, 507)
  expect('reading', (await ask(server, '/api/threads')).status, 200)
  await setTimeout(Math.max(0, seconds * 1_000 - (Date.now() - filled)))
  expect('health at the end', (await ask(server, '/api/health')).status, 503)
  disk.free()
  const freed = Date.now()
  await until(async () => (await ask(server, '/api/health')).status === 200, RECOVERS_WITHIN)
  const well = Date.now() - freed
  await until(async () => (await runAt(server, 'own'))?.state === 'ended', RECOVERS_WITHIN)
  const ended = Date.now() - freed
  expect('the agent’s run', (await runAt(server, 'own'))?.state, 'ended')
  expect('an upload afterwards', (await upload(server)).status, 201)
  const { requests } = await produced
  // A viewer that is not cut would wait for ever.
  const sights = await Promise.race([watched, setTimeout(RECOVERS_WITHIN, [])])
  expect('viewers that saw an end', sights.length, 2 * kinds.length)
  for (const { runId, viewer, connections } of sights) {
    if (connections < 2) broken.push(`${viewer} of ${runId} was not cut while the log refused`)
  }
  const fed: readonly Sight[] = sights.filter(({ runId }) => runId === 'fed')
  broken.push(...(await judge(server, 'fed', stream, fed)))
  expect('deleting the thread', (await ask(server, '/api/threads/t', { method: 'DELETE' })).status, 204)
  return {
    tried: `${seconds} s, ${disk.kind}`,
    broken,
    figures: [`${requests} producer requests`, `healthy again after ${well} ms, the last run ended after ${ended} ms`],
  }
}

async function start(server: Address): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ agent: 'ticking', runId: 'own', input: { text: 'Go' } })
  const { status, text } = await ask(server, '/api/threads/t/runs', { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`A start answered ${status}: ${text}`)
}

const upload = (server: Address) => ask(server, '/api/files', { method: 'POST', body: Buffer.alloc(100_000) })

const ingestOnce = (server: Address, runId: string) => {
  const record = JSON.stringify({ type: 'text', data: { content: 'x'.repeat(32_000) } })
  return ask(server, `/api/ingest?format=agent-lines&runId=${runId}`, { method: 'POST', body: `${record}\n` })
}

/** A log that was written before has free pages in its own files: those are used up first. */
async function exhaust(server: Address): Promise<void> {
  for (let number = 0; number < 1_000; number++) {
    if ((await ingestOnce(server, `ballast-${number}`)).status !== 200) return
  }
  throw new Error('The disk does not get full.')
}

async function until(isSo: () => Promise<boolean>, within: number): Promise<void> {
  const deadline = Date.now() + within
  while (Date.now() < deadline && !(await isSo())) await setTimeout(50)
}
