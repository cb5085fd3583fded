import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '@millrace/testkit/seeded'
import { optionsFor, whole } from './asking.ts'
import type { Fault } from './fault.ts'
import { megabytes, recordMemory, tooMuch } from './memory.ts'
import { judge } from './oracle.ts'
import { produce } from './producer.ts'
import { type Address, withServer } from './server-process.ts'
import { streamOf } from './streams.ts'

const RECORDS = 200
const PIECE = 64 * 1024
/** In MB: one large record is read whole at a time, and a few copies of it wait for the disk. */
const MOST_GROWTH = 600
/** How long a request may wait, in ms: several records may be read one after another. */
const LONGEST_SILENCE = 5_000

interface Giant {
  readonly query: string
  pieces(size: number): Generator<string>
}

function* filled(sign: string, size: number): Generator<string> {
  for (let charactersLeft = size; charactersLeft > 0; charactersLeft -= PIECE)
    yield sign.repeat(Math.min(charactersLeft, PIECE))
}

/** What large producers send: the largest record that is kept, one that is too large, and text that grows as JSON. */
const giants: readonly Giant[] = [
  {
    query: 'framing=json-lines',
    *pieces(size) {
      yield '{"type":"text","data":{"content":"'
      yield* filled('x', size)
      yield '"}}\n{"type":"done","data":{}}\n'
    },
  },
  {
    query: 'framing=sse',
    *pieces(size) {
      yield 'event: '
      yield* filled('\u0001', size)
      yield '\ndata: '
      yield* filled('\u0001', size)
      yield '\n\n'
    },
  },
]

/** Producers with giant records, and small ones beside them. */
export const giantBatches: Fault = {
  name: 'giant batches',
  promise: 'what one run sends fails for no other; memory and silence are bounded',
  sizes: { full: { count: 8, megabytes: 31 }, small: { count: 3, megabytes: 8 } },
  run: ({ count, megabytes: size }, seed) =>
    withServer(async (server) => {
      const memory = recordMemory(server)
      const health = await askHealth(server)
      const small = Array.from({ length: 3 }, (_, index) => index)
      const produced = Promise.all(
        small.map(async (index) => {
          const stream = streamOf(seed + index, RECORDS)
          await produce({ server, runId: `small-${index}`, stream, random: createRandom(seed + index), pauseMs: 5 })
          return judge(server, `small-${index}`, stream, [])
        }),
      )
      const kinds = [...giants, { ...giants[0], size: 8 }] as readonly (Giant & { readonly size?: number })[]
      const statuses = await Promise.all(
        Array.from({ length: count }, (_, index) => {
          const giant = kinds[index % kinds.length] as (typeof kinds)[number]
          return send(server, giant, (giant.size ?? size) * 1_000_000, `giant-${index}`)
        }),
      )
      const broken = [
        ...(await produced).flat(),
        ...statuses.filter((status) => status !== 200).map((status) => `a giant was answered with ${status}`),
        ...tooMuch('growth', memory.growth(), MOST_GROWTH),
      ]
      const silence = await health.longest()
      if (silence > LONGEST_SILENCE) broken.push(`no request was answered for ${silence} ms`)
      const figures = [`${megabytes(memory.growth())} more memory`, `health within ${silence} ms`]
      memory.stop()
      return { tried: `${count} of ${size} MB`, broken, figures }
    }),
}

function send(server: Address, { query, pieces }: Giant, size: number, runId: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(optionsFor(server, `/api/ingest?format=agent-lines&runId=${runId}&${query}`, 'POST'))
    outgoing.on('error', reject).on('close', () => reject(new Error('A giant was cut off.')))
    outgoing.on('response', (response) => void whole(response).then(({ status }) => resolve(status), reject))
    const write = async () => {
      for (const piece of pieces(size)) if (!outgoing.write(piece)) await once(outgoing, 'drain')
      outgoing.end()
    }
    write().catch(reject)
  })
}

/** Requests the server's health repeatedly, from a process that does nothing else. */
async function askHealth({ port }: Address): Promise<{ longest(): Promise<number> }> {
  const script = `
    let longest = 0
    process.on('disconnect', () => process.exit())
    process.on('message', () => process.send(Math.round(longest), () => process.exit()))
    for (;;) {
      const began = performance.now()
      await (await fetch('http://127.0.0.1:${port}/api/health')).text()
      longest = Math.max(longest, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await setTimeout(500)
  return {
    async longest() {
      const answered = once(child, 'message')
      child.send('longest')
      return Number((await answered)[0])
    },
  }
}
