// Tries faults and prints what was broken. Exits with 1 if a promise is broken, with 2 if it cannot be tried as asked.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Fault, Size } from '../proofs/faults/fault.ts'
import { type Mode, modes } from '../proofs/faults/modes.ts'
import { type Finding, updatedReport } from '../proofs/faults/report.ts'

const SEED = 2026
const REPORT = fileURLToPath(new URL('../docs/faults.md', import.meta.url))

const USAGE = `npm run faults [-- [NAME] [OPTION…]]

Tries every fault at full size and writes its figures to docs/faults.md.

  NAME          only the faults with this in their name
  --postgres    one server over a PostgreSQL, instead of one with its log on disk
  --agents      one server with programs as agents, which do harm, are stopped, and outlive it
  --nodes       two servers over one PostgreSQL, woken by Redis and by PostgreSQL
  --rounds N    the number of rounds, or of whatever the fault counts
  --seed N      the first seed (default ${SEED}). Without --rounds, a fault of rounds tries one: that of the seed
  --write       writes to docs/faults.md, although NAME, --rounds or --seed is given
  --help        prints this`

function optionsOf(args: readonly string[]) {
  const options = {
    postgres: { type: 'boolean' },
    nodes: { type: 'boolean' },
    agents: { type: 'boolean' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [namePart = '', ...more] = positionals
  if (more.length > 0) throw new Error(`There is one NAME at most: "${more[0]}" is not understood.`)
  const asked = (['postgres', 'nodes', 'agents'] as const).filter((name) => values[name])
  if (asked.length > 1) throw new Error('One of --postgres, --nodes and --agents.')
  const mode: Mode = modes[asked[0] ?? 'folder']
  if (mode.absence !== undefined) throw new Error(`It cannot be tried: ${mode.absence}.`)
  const chosen = mode.faults.filter(({ name }) => name.includes(namePart))
  if (chosen.length === 0) throw new Error(`No fault has a name with "${namePart}".`)
  const [rounds, seed] = [numberOf('rounds', values.rounds, 1), numberOf('seed', values.seed, 0)]
  const isWhole = namePart === '' && rounds === undefined && seed === undefined
  return { mode, chosen, rounds, seed, isWritten: isWhole || values.write === true, isHelp: values.help === true }
}

function numberOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`--${name} is a whole number from ${least} on, not "${text}".`)
}

function sizeOf({ sizes, hasSeedPerRound }: Fault, rounds?: number, seed?: number): Size {
  const count = rounds ?? (seed !== undefined && hasSeedPerRound ? 1 : sizes.full.count)
  return { ...sizes.full, count }
}

async function tryAll({ mode, chosen, rounds, seed, isWritten }: ReturnType<typeof optionsOf>): Promise<boolean> {
  const findings: Finding[] = []
  for (const fault of chosen) {
    const began = performance.now()
    const trial = await fault.run(sizeOf(fault, rounds, seed), seed ?? SEED)
    const seconds = Math.round((performance.now() - began) / 1_000)
    findings.push({ fault, seed: seed ?? SEED, seconds, ...trial })
    console.log(`${fault.name}: ${trial.tried}, seed ${seed ?? SEED}, ${trial.broken.length} broken, ${seconds} s`)
    for (const line of [...trial.figures, ...trial.broken]) console.log(`  ${line}`)
  }
  if (isWritten)
    writeFileSync(REPORT, updatedReport(readFileSync(REPORT, 'utf8'), Object.values(modes), mode, findings))
  return findings.every(({ broken }) => broken.length === 0)
}

let options: ReturnType<typeof optionsOf> | undefined
try {
  options = optionsOf(process.argv.slice(2))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
}
if (options === undefined) process.exitCode = 2
else if (options.isHelp) console.log(USAGE)
else process.exitCode = (await tryAll(options)) ? 0 : 1
