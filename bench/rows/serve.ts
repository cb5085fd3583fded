import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Figure, Row } from '../row.ts'
import type { Order, Serving, Told, Watching } from '../serve/words.ts'

const ROUNDS = 3
/** Events that are sent in all, whatever the number of streams. */
const SENT = 100_000
/** How many come together where writes can coalesce. */
const TOGETHER = 64

const child = (file: string, ...args: readonly string[]) =>
  fork(fileURLToPath(new URL(`../serve/${file}.ts`, import.meta.url)), args, { execArgv: ['--expose-gc'] })

async function told<Key extends string>(
  process: ChildProcess,
  key: Key,
): Promise<Extract<Told, Record<Key, unknown>>[Key]> {
  for (;;) {
    const [message] = (await once(process, 'message')) as [Told]
    if (key in message) return (message as never)[key]
  }
}

function ask<Key extends 'cpu' | 'heap'>(server: ChildProcess, what: Key): Promise<number> {
  const answer = told(server, what) as Promise<number>
  server.send({ do: what } satisfies Order)
  return answer
}

interface Measured {
  /** Microseconds of CPU per event and stream. */
  readonly cpu: number
  /** Bytes of heap per idle connection. */
  readonly heap: number
}

async function measured(serving: Serving, streams: number, atOnce: number): Promise<Measured> {
  const [server, viewers] = [child('server', serving), child('viewers')]
  try {
    const port = await told(server, 'port')
    const empty = await ask(server, 'heap')
    const open = told(viewers, 'all')
    viewers.send({ port, streams } satisfies Watching)
    await open
    const heap = (await ask(server, 'heap')) - empty
    const events = SENT / streams
    const before = await ask(server, 'cpu')
    const ended = told(viewers, 'all')
    server.send({ do: 'play', events, atOnce } satisfies Order)
    await ended
    const cpu = (await ask(server, 'cpu')) - before
    return { cpu: cpu / SENT, heap: heap / streams }
  } finally {
    server.kill()
    viewers.kill()
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function figuresOf(streams: number): Promise<Figure[]> {
  const rows = { floor: ['floor', 1], shared: ['shared', 1], own: ['own', 1], together: ['own', TOGETHER] } as const
  const results = new Map<string, Measured[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [serving, atOnce]] of Object.entries(rows)) {
      results.set(name, [...(results.get(name) ?? []), await measured(serving, streams, atOnce)])
    }
  }
  const of = (name: keyof typeof rows, what: keyof Measured) =>
    median((results.get(name) ?? []).map((result) => result[what]))
  const cpu = (name: keyof typeof rows) => of(name, 'cpu') / of('floor', 'cpu')
  const where = `${streams} streams`
  return [
    { row: '5', what: `${where}, each of its own run, event by event`, value: cpu('own'), bound: 1.2 },
    { row: '5', what: `${where} of one run, event by event`, value: cpu('shared'), bound: 1.2 },
    { row: '5', what: `${where}, each of its own run, ${TOGETHER} events at once`, value: cpu('together'), bound: 0.4 },
    ...(['shared', 'own'] as const).map((name) => ({
      row: '5',
      what: `${where}: heap of an idle connection, ${name === 'own' ? 'each of its own run' : 'all of one run'}`,
      value: of(name, 'heap') / of('floor', 'heap'),
      bound: 1.6,
    })),
    { row: '5', what: `${where}: microseconds per event of the floor`, value: of('floor', 'cpu') },
  ]
}

export const serve: Row = {
  title: 'server-sent events on loopback, CPU of the server (floor: node:http, one write per event)',
  run: async () => [...(await figuresOf(100)), ...(await figuresOf(1_000))],
}
