import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Figure, Row } from './row.ts'

/** Loaded only by the process that runs them. */
const rows: { readonly [name: string]: () => Promise<Row> } = {
  'fold-text': async () => (await import('./rows/fold.ts')).foldText,
  'fold-mixed': async () => (await import('./rows/fold.ts')).foldMixed,
  facades: async () => (await import('./rows/facades.ts')).facades,
  arguments: async () => (await import('./rows/arguments.ts')).toolInput,
  parse: async () => (await import('./rows/parse.ts')).parse,
  wire: async () => (await import('./rows/wire.ts')).wire,
  think: async () => (await import('./rows/think.ts')).think,
  history: async () => (await import('./rows/fold.ts')).history,
  serve: async () => (await import('./rows/serve.ts')).serve,
  viewers: async () => (await import('./rows/viewers.ts')).viewers,
  log: async () => (await import('./rows/log.ts')).log,
  growth: async () => (await import('./rows/growth.ts')).growth,
  'growth-postgres': async () => (await import('./rows/growth.ts')).growthPostgres,
  whole: async () => (await import('./rows/whole.ts')).whole,
  'log-postgres': async () => (await import('./rows/log-postgres.ts')).logPostgres,
}

const { values } = parseArgs({
  options: {
    row: { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'boolean' },
    long: { type: 'boolean', default: false },
  },
})

if (values.row !== undefined) await runOne(values.row)
else if (await runAll()) process.exitCode = 1

async function runOne(name: string): Promise<void> {
  const load = rows[name]
  if (load === undefined) throw new Error(`There is no row ${name}; the rows are ${Object.keys(rows).join(', ')}.`)
  const row = await load()
  process.stdout.write(JSON.stringify({ title: row.title, figures: await row.run(values.long) }))
}

/** Each row in a process of its own, so that none warms up or fills the heap of another. True if a hard bound broke. */
async function runAll(): Promise<boolean> {
  let isBroken = false
  for (const name of Object.keys(rows)) {
    if (values.only !== undefined && values.only !== name) continue
    const args = ['--row', name, ...(values.long ? ['--long'] : [])]
    const child = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1 << 26,
    })
    if (child.status !== 0) throw new Error(`The row ${name} failed.`)
    const { title, figures } = JSON.parse(child.stdout.toString()) as { title: string; figures: Figure[] }
    console.log(`\n${title}`)
    for (const figure of figures) isBroken = print(figure) || isBroken
  }
  if (values.peers) await (await import('./peers.ts')).runPeers(values.only)
  return isBroken
}

function print({ row, what, value, unit = '×', bound, isHard }: Figure): boolean {
  const isKept = bound === undefined || value <= bound
  const said = bound === undefined ? '' : `  ≤ ${bound}${unit}${isHard ? ' (hard)' : ''}  ${isKept ? 'kept' : 'MISSED'}`
  console.log(`  ${row.padEnd(3)} ${what.padEnd(64)} ${value.toFixed(2).padStart(8)}${unit}${said}`)
  return isHard === true && !isKept
}
