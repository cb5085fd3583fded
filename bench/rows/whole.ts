import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure, Row } from '../row.ts'
import { median } from '../serve/children.ts'
import type { WholeCrowd, WholeOrder, WholeSetup, WholeWords } from '../whole/words.ts'

const ROUNDS = 3

interface Crowd {
  readonly what: string
  readonly runs: number
  readonly viewersOfRun: number
  readonly lines: number
  readonly pause: number
}

const CROWDS: readonly Crowd[] = [
  { what: 'one producer, one viewer', runs: 1, viewersOfRun: 1, lines: 3_000, pause: 1 },
  { what: '100 producers, 1,000 viewers', runs: 100, viewersOfRun: 10, lines: 200, pause: 10 },
]

const child = (name: string, ...args: readonly string[]) =>
  fork(fileURLToPath(new URL(`../whole/${name}.ts`, import.meta.url)), args)

async function said<Key extends string>(
  server: ChildProcess,
  key: Key,
): Promise<Extract<WholeWords, Record<Key, unknown>>> {
  for (;;) {
    const [words] = (await once(server, 'message')) as [WholeWords]
    if (key in words) return words as Extract<WholeWords, Record<Key, unknown>>
  }
}

async function figuresOf(server: ChildProcess): Promise<{ readonly cpu: number; readonly commits: number }> {
  const figures = said(server, 'cpu')
  server.send({ do: 'figures' } satisfies WholeOrder)
  return figures
}

/** Microseconds of the server's CPU per line, and the mean number of lines in a commit. */
async function measured(serving: WholeSetup['serving'], { what: _what, ...crowd }: Crowd, linesPerCommit: number) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const server = child('server', JSON.stringify({ serving, folder, linesPerCommit } satisfies WholeSetup))
  const clients = child('clients')
  try {
    const { url, token } = await said(server, 'url')
    const open = once(clients, 'message')
    clients.send({ url, token, serving, ...crowd } satisfies WholeCrowd)
    await open
    const before = await figuresOf(server)
    await once(clients, 'message')
    const after = await figuresOf(server)
    const all = crowd.runs * crowd.lines
    return { cpu: (after.cpu - before.cpu) / all, linesPerCommit: all / (after.commits - before.commits) }
  } finally {
    server.kill()
    clients.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rowsOf(crowd: Crowd): Promise<Figure[]> {
  const ratios: number[] = []
  const floors: number[] = []
  const batches: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measured('ours', crowd, 0)
    const floor = await measured('floor', crowd, Math.max(1, Math.round(ours.linesPerCommit)))
    ratios.push(ours.cpu / floor.cpu)
    floors.push(floor.cpu)
    batches.push(ours.linesPerCommit)
  }
  const row = '10'
  return [
    { row, what: `${crowd.what}: CPU per event`, value: median(ratios), bound: 2.5 },
    { row, what: `${crowd.what}: CPU per event of the floor`, value: median(floors), unit: ' µs' },
    { row, what: `${crowd.what}: events in one commit, mean`, value: median(batches), unit: '' },
  ]
}

export const whole: Row = {
  title:
    'the whole way: producer, parser, disk, viewers (floor: node:http, JSON.parse, node:sqlite in the same commits)',
  async run() {
    const figures: Figure[] = []
    for (const crowd of CROWDS) figures.push(...(await rowsOf(crowd)))
    return figures
  },
}
