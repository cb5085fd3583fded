// Tries faults and prints what was broken. Exits with 1 if a promise is broken, with 2 if it cannot be tried as asked.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildServer } from '../proofs/faults/built-server.ts'
import type { Fault, Size } from '../proofs/faults/fault.ts'
import { tryInParts } from '../proofs/faults/in-parts.ts'
import { type Mode, modes } from '../proofs/faults/modes.ts'
import { openPartFile } from '../proofs/faults/part-files.ts'
import { type Finding, updatedReport } from '../proofs/faults/report.ts'
import { rangesOf } from '../proofs/faults/rounds.ts'
import { startFrom } from '../proofs/faults/server-process.ts'

const SEED = 2026
const REPORT = fileURLToPath(new URL('../docs/faults.md', import.meta.url))
const PARTS = fileURLToPath(new URL('../docs/faults', import.meta.url))

const USAGE = `npm run faults [-- [NAME] [OPTION…]]

Tries every fault at full size and writes its figures to docs/faults.md.

  NAME          only the faults with this in their name
  --postgres    one server over a PostgreSQL, instead of one with its log on disk
  --agents      one server with programs as agents, which do harm, are stopped, and outlive it
  --nodes       two servers over one PostgreSQL, woken by Redis and by PostgreSQL
  --rounds N    the number of rounds, or of whatever the fault counts
  --seed N      the first seed (default ${SEED}). Without --rounds, a fault of rounds tries one: that of the seed
  --write       writes to docs/faults.md, although NAME, --rounds or --seed is given
  --continue    writes, and tries only the rounds that docs/faults has no part of yet: the same command goes on after an interruption,
                and a larger N adds rounds
  --at-once N   how many parts of a fault of rounds are tried at once, each on a store of its own (default 1)
  --help        prints this`

function optionsOf(args: readonly string[]) {
  const options = {
    postgres: { type: 'boolean' },
    nodes: { type: 'boolean' },
    agents: { type: 'boolean' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    write: { type: 'boolean' },
    continue: { type: 'boolean' },
    'at-once': { type: 'string' },
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
  const continues = values.continue === true
  return {
    mode,
    chosen,
    rounds,
    seed,
    continues,
    lanes: numberOf('at-once', values['at-once'], 1) ?? 1,
    isWritten: isWhole || continues || values.write === true,
    isHelp: values.help === true,
  }
}

type Options = ReturnType<typeof optionsOf>

function numberOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`--${name} is a whole number from ${least} on, not "${text}".`)
}

function sizeOf({ sizes, rounds: inRounds }: Fault, rounds?: number, seed?: number): Size {
  const count = rounds ?? (seed !== undefined && inRounds !== undefined ? 1 : sizes.full.count)
  return { ...sizes.full, count }
}

/** The finding of one fault. `note` writes what is found, if it is to be written. */
async function tryOne(options: Options, fault: Fault, note: (finding: Finding) => void): Promise<Finding> {
  const { mode, seed = SEED, rounds, lanes, isWritten, continues } = options
  const size = sizeOf(fault, rounds, options.seed)
  if (fault.rounds === undefined) {
    const began = performance.now()
    const trial = await fault.run(size, seed)
    const finding = { fault, seed: `${seed}`, seconds: Math.round((performance.now() - began) / 1_000), ...trial }
    note(finding)
    return finding
  }
  const file = isWritten ? openPartFile(PARTS, mode, fault) : undefined
  if (!continues) file?.clear()
  const whole = await tryInParts({
    fault,
    rounds: fault.rounds,
    size,
    seed,
    lanes,
    file,
    onPart(part, soFar) {
      note(soFar)
      if (part.count < size.count)
        console.log(`  ${rangesOf([part])}: ${part.count} rounds, ${part.broken.length} broken, ${part.seconds} s`)
      for (const line of part.broken) console.log(`  ${line}`)
    },
  })
  note(whole)
  return whole
}

async function tryAll(options: Options): Promise<boolean> {
  const { mode, chosen, isWritten } = options
  startFrom(await buildServer())
  const note = (finding: Finding) => {
    if (!isWritten) return
    const page = readFileSync(REPORT, 'utf8')
    writeFileSync(REPORT, updatedReport(page, Object.values(modes), mode, [finding]))
  }
  let isKept = true
  for (const fault of chosen) {
    const { tried, seed, broken, seconds, figures } = await tryOne(options, fault, note)
    console.log(`${fault.name}: ${tried}, seed ${seed}, ${broken.length} broken, ${seconds} s`)
    for (const line of fault.rounds === undefined ? [...figures, ...broken] : figures) console.log(`  ${line}`)
    isKept &&= broken.length === 0
  }
  return isKept
}

// Without an exit the servers that were started would stay.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

let options: Options | undefined
try {
  options = optionsOf(process.argv.slice(2))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
}
if (options === undefined) process.exitCode = 2
else if (options.isHelp) console.log(USAGE)
else process.exitCode = (await tryAll(options)) ? 0 : 1
