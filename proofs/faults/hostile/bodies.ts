import { randomUUID } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { ask, optionsFor, runAt, whole } from '../asking.ts'
import { recordMemory, tooMuch } from '../memory.ts'
import { entriesOf, wholeRun } from '../oracle.ts'
import type { Address, ServerProcess } from '../server-process.ts'
import { type Hostility, refused } from './hostility.ts'

const MEGABYTE = 1024 * 1024
const TEN_GIGABYTES = 10 * 1024 * MEGABYTE
/**
 * In MB: a few records of 8 Mi characters. The small size runs beside other tests, where the collector is late; its line is
 * longer than this bound, so a server that keeps the whole line is found.
 */
const mostGrowth = (megabytes: number) => (megabytes >= 1_024 ? 128 : 192)
/** In MB, while reading as fast as it is sent, for any time: most of it is garbage that is not collected yet. */
const MOST_GARBAGE = 400
const text = (content: string) => `${JSON.stringify({ type: 'text', data: { content } })}\n`

/** Hostile request bodies. */
export const bodies: readonly Hostility[] = [
  {
    name: 'a JSON body of 10 GB, announced',
    attack: async (server) => refused(await answerToFlood(server, { 'content-length': String(TEN_GIGABYTES) }), 413),
  },
  {
    name: 'a JSON body of 10 GB, in chunks',
    attack: async (server) => refused(await answerToFlood(server, {}), 413),
  },
  {
    name: 'a stream of 10 GB, broken off after some time',
    async attack(server, { count }) {
      const runId = `endless-${randomUUID()}`
      const memory = recordMemory(server)
      await flood(server, `/api/ingest?format=agent-lines&runId=${runId}`, {}, count * 100).catch(() => undefined)
      const growth = memory.growth()
      memory.stop()
      const run = await runAt(server, runId)
      const isKept = run !== undefined && run.rawRecords > 0 && run.state !== 'ended'
      return [...(isKept ? [] : [`the run is ${JSON.stringify(run)}`]), ...tooMuch('growth', growth, MOST_GARBAGE)]
    },
  },
  { name: 'one enormous line between two records', attack: (server, { megabytes }) => enormousLine(server, megabytes) },
  {
    name: 'JSON of 100,000 levels',
    attack: async (server) =>
      refused(await ask(server, '/api/threads', { method: 'POST', body: deep(100_000) }), 400, 'too-deep'),
  },
  {
    name: 'a record of 100,000 levels',
    attack: (server) => neighbours(server, Buffer.from(`{"type":"text","data":${deep(100_000)}}\n`)),
  },
  {
    name: 'bytes that are not UTF-8',
    attack: (server) => neighbours(server, Buffer.from([0xff, 0xfe, 0xc3, 0x28, 10])),
  },
  {
    name: 'NULs',
    attack: (server) => neighbours(server, Buffer.from('\0\0\0\n{"type":"text","data":{"content":"\\u0000"}}\n')),
  },
  {
    name: 'a lone surrogate',
    attack: (server) => neighbours(server, Buffer.from(text('\\ud800').replace('\\\\', '\\'))),
  },
  {
    name: 'a record with __proto__ and constructor in it',
    attack: (server) =>
      neighbours(server, Buffer.from('{"type":"__proto__","data":{"__proto__":{"polluted":1},"constructor":{}}}\n')),
  },
]

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Sends the record between two valid ones: those two must be in the log, and the run must end. */
async function neighbours(server: Address, between: Uint8Array): Promise<readonly string[]> {
  const runId = `between-${randomUUID()}`
  const body = Buffer.concat([Buffer.from(text('before')), between, Buffer.from(text('after'))])
  const path = `/api/ingest?format=agent-lines&runId=${runId}`
  const answer = await ask(server, path, { method: 'POST', body })
  if (answer.status !== 200) return [`answered ${answer.status}: ${answer.text.slice(0, 200)}`]
  return logProblems(server, runId)
}

async function logProblems(server: Address, runId: string): Promise<readonly string[]> {
  const events = entriesOf(await wholeRun(server, runId, 'native')).map(({ event }) => JSON.stringify(event))
  const missing = ['"before"', '"after"', '"run-end"'].filter((part) => !events.some((event) => event.includes(part)))
  const verdict = JSON.parse((await ask(server, `/api/runs/${runId}/verify`)).text) as {
    ok: boolean
    problems: unknown
  }
  return [
    ...missing.map((part) => `${part} is not in the log`),
    ...(verdict.ok ? [] : [`verify says ${JSON.stringify(verdict.problems)}`]),
  ]
}

async function enormousLine(server: ServerProcess, megabytes: number): Promise<readonly string[]> {
  const runId = `enormous-${randomUUID()}`
  const memory = recordMemory(server)
  const megabyte = Buffer.alloc(MEGABYTE, 'x')
  const answer = await sending(server, `/api/ingest?format=agent-lines&runId=${runId}`, {}, async (outgoing) => {
    outgoing.write(`${text('before')}{"type":"text","data":{"content":"`)
    for (let sent = 0; sent < megabytes && !outgoing.destroyed; sent++) await write(outgoing, megabyte)
    outgoing.end(`"}}\n${text('after')}`)
  })
  const growth = memory.growth()
  memory.stop()
  const { rawRecords } = JSON.parse(answer.text) as { rawRecords?: number }
  return [
    ...(rawRecords === 3 ? [] : [`answered ${answer.status}: ${answer.text.slice(0, 200)}`]),
    ...(await logProblems(server, runId)),
    ...tooMuch('growth', growth, mostGrowth(megabytes)),
  ]
}

const TRIES = 5

/** The answer to a flood. A client that keeps sending may be cut before it reads the answer: then it tries again. */
async function answerToFlood(server: Address, headers: object) {
  let failure: unknown
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await flood(server, '/api/threads', headers, 5_000)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Sends records without end, for a limited time; resolves with the answer if there is one before. */
function flood(server: Address, path: string, headers: object, lasts: number) {
  const piece = Buffer.from(text('x'.repeat(1_000)).repeat(64))
  const end = Date.now() + lasts
  return sending(server, path, headers, async (outgoing) => {
    while (!outgoing.destroyed && Date.now() < end) {
      await write(outgoing, piece)
      // Lets the answer arrive before it goes on.
      await setImmediate()
    }
    outgoing.destroy()
  })
}

function sending(server: Address, path: string, headers: object, send: (outgoing: ClientRequest) => Promise<void>) {
  return new Promise<Awaited<ReturnType<typeof whole>>>((resolve, reject) => {
    const options = optionsFor(server, path, 'POST')
    const outgoing = request({ ...options, headers: { ...(options.headers as object), ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      whole(response).then(resolve, reject)
      // The answer is there: nothing more is sent.
      response.once('end', () => outgoing.destroy())
    })
    send(outgoing).catch(reject)
  })
}

async function write(outgoing: ClientRequest, piece: Uint8Array): Promise<void> {
  if (outgoing.write(piece)) return
  await new Promise<void>((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle).on('close', settle)
  })
}
