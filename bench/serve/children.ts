import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Formatted, Order, Setup, Told, Watching } from './words.ts'

export interface Served {
  /** Microseconds of the server's CPU, from the first event to the last viewer's end. */
  readonly cpu: number
  /** Bytes of the server's heap that all connections hold, before the first event. */
  readonly heap: number
  readonly formatted: Formatted
}

const child = (file: string, ...args: readonly string[]) =>
  fork(fileURLToPath(new URL(`./${file}.ts`, import.meta.url)), args, { execArgv: ['--expose-gc'] })

async function told<Key extends string>(
  process: ChildProcess,
  key: Key,
): Promise<Extract<Told, Record<Key, unknown>>[Key]> {
  for (;;) {
    const [message] = (await once(process, 'message')) as [Told]
    if (key in message) return (message as never)[key]
  }
}

function ask<Key extends 'cpu' | 'heap' | 'formatted'>(server: ChildProcess, what: Key) {
  const answer = told(server, what)
  server.send({ do: what } satisfies Order)
  return answer
}

/** Serves the events to so many streams, so many events at once, in processes of their own. */
export async function serve(setup: Setup, streams: number, atOnce: number): Promise<Served> {
  const [server, viewers] = [child('server', JSON.stringify(setup)), child('viewers')]
  try {
    const port = await told(server, 'port')
    const empty = await ask(server, 'heap')
    const open = told(viewers, 'all')
    viewers.send({ port, streams } satisfies Watching)
    await open
    const heap = (await ask(server, 'heap')) - empty
    const before = await ask(server, 'cpu')
    const ended = told(viewers, 'all')
    server.send({ do: 'play', atOnce } satisfies Order)
    await ended
    const cpu = (await ask(server, 'cpu')) - before
    return { cpu, heap, formatted: await ask(server, 'formatted') }
  } finally {
    server.kill()
    viewers.kill()
  }
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
