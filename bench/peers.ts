import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAsync } from './peers/measure-async.ts'
import { installPeers } from './peers/packages.ts'
import type { Peer, Trial } from './peers/peer.ts'

/** By the names of our own rows. */
const rows: { readonly [row: string]: () => Promise<readonly Peer[]> } = {
  'fold-text': async () => (await import('./peers/fold.ts')).foldText,
  'fold-mixed': async () => (await import('./peers/fold.ts')).foldMixed,
  arguments: async () => (await import('./peers/arguments.ts')).toolInput,
  parse: async () => (await import('./peers/parse.ts')).parse,
  wire: async () => (await import('./peers/wire.ts')).wire,
  think: async () => (await import('./peers/think.ts')).think,
  history: async () => (await import('./peers/fold.ts')).history,
}

/** A peer that takes longer than this for one input is not given one of ten times the size. */
const SLOW_SECONDS = 3

/** A peer that is not done by then is stopped. */
const PATIENCE_SECONDS = 180

/** One line: a ratio to the floor of the row, or why there is none. */
interface Line {
  readonly row: string
  readonly what: string
  readonly ratio?: number
  readonly note?: string
}

if (import.meta.main) await runChild()

/** Other projects' code against the floors of our rows, each in a process of its own. */
export async function runPeers(only?: string): Promise<void> {
  for (const [name, reason] of installPeers()) console.log(`  ${name} is not there: ${reason}`)
  console.log('\npeers, against the same floors')
  for (const [row, load] of Object.entries(rows)) {
    if (only !== undefined && only !== row) continue
    for (const peer of await load()) await runPeer(row, peer)
  }
}

async function runPeer(row: string, { name, trials }: Peer): Promise<void> {
  let printed = 0
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), '--row', row, '--peer', name], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: PATIENCE_SECONDS * 1000,
  })
  child.on('message', (line) => {
    print(line as Line)
    printed++
  })
  const ended = await new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (code, signal) => resolve(`ended with ${signal ?? code}`))
  })
  const missing = trials[printed]
  if (missing === undefined) return
  print({ ...missing, note: child.killed ? `stopped after ${PATIENCE_SECONDS} s` : ended })
}

function print({ row, what, ratio, note }: Line): void {
  const value = ratio === undefined ? '–'.padStart(9) : `${ratio.toFixed(2).padStart(8)}×`
  console.log(`  ${row.padEnd(3)} ${what.padEnd(52)} ${value}${note === undefined ? '' : `  ${note}`}`)
}

async function runChild(): Promise<void> {
  const { values } = parseArgs({ options: { row: { type: 'string' }, peer: { type: 'string' } } })
  const peers = await rows[values.row ?? '']?.()
  const peer = peers?.find(({ name }) => name === values.peer)
  if (peer === undefined) throw new Error(`The row ${values.row} has no peer ${values.peer}.`)
  let last = 0
  for (const trial of peer.trials) {
    if (last > SLOW_SECONDS) say(trial, { note: `left out: the smaller input took ${last.toFixed(1)} s` })
    else last = await runTrial(trial)
  }
  process.disconnect()
}

/** How many seconds one call took. */
async function runTrial(trial: Trial): Promise<number> {
  try {
    const { ratio, rounds, seconds } = await measureAsync(await trial.prepare())
    say(trial, { ratio, ...(rounds < 3 && { note: `slow: ${rounds === 1 ? 'one round' : `${rounds} rounds`}` }) })
    return seconds
  } catch (error) {
    say(trial, { note: `failed: ${error instanceof Error ? error.message : String(error)}`.split('\n')[0] ?? 'failed' })
    return 0
  }
}

function say({ row, what }: Trial, found: { readonly ratio?: number; readonly note?: string }): void {
  process.send?.({ row, what, ...found } satisfies Line)
}
