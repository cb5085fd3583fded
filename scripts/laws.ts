// Tries every law at full size and writes the figures to docs/laws.md. Exits with 1 if one is broken, with 2 if it is asked for
// something else.
//
//   npm run laws                 with a new seed, which it prints and writes
//   npm run laws -- --seed 2026  with this one
//   npm run laws -- history      only law 11, loaded = streamed: its section of the page is written anew
//   npm run laws -- history WIRE --seed SEED  law 11 on one wire: its rows are written anew. The seed is that of the page
//   npm run laws -- requests     only the next request to a provider, likewise

import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allWires } from '@millrace/core/wire'
import { tryHistories } from '../proofs/laws/histories.ts'
import { reportOf, type Section, withRows, withSection } from '../proofs/laws/report.ts'
import { tryRequests } from '../proofs/laws/requests.ts'
import { tryAllLaws } from '../proofs/laws/try-all.ts'

const PAGE = fileURLToPath(new URL('../docs/laws.md', import.meta.url))

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const seed = values.seed === undefined ? randomInt(2 ** 31 - 1) : Number(values.seed)
if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not "${values.seed}".`)
/** Parts that can be tried alone, in the order of the page. */
const parts: { readonly [name: string]: (seed: number, row?: string) => Promise<Section> } = {
  history: tryHistories,
  requests: tryRequests,
}
const [name, row] = positionals
if (name !== undefined && !Object.hasOwn(parts, name)) {
  console.error(`There are only ${Object.keys(parts).join(' and ')} to be tried alone, not "${name}".`)
  process.exit(2)
}
if (row !== undefined && (name !== 'history' || !Object.hasOwn(allWires(), row))) {
  console.error(`There is no wire "${row}" to be tried alone.`)
  process.exit(2)
}
process.stderr.write(`seed ${seed}\n`)

const all = name === undefined ? await tryAllLaws(seed) : undefined
const sections: Section[] = []
for (const [part, trial] of Object.entries(parts)) {
  if (name === undefined || name === part) sections.push(await trial(seed, row))
}
const findings = [...(all?.findings ?? []), ...sections.flatMap((section) => section.findings)]
const broken = findings.filter((finding) => finding.broken.length > 0)

const page = readFileSync(PAGE, 'utf8')
const whole = all === undefined ? page : reportOf(all.findings, all.figures, all.accounts)
writeFileSync(PAGE, sections.reduce(row === undefined ? withSection : withRows, whole))
process.stderr.write(`seed ${seed}: ${findings.length} promises, ${broken.length} broken; figures in docs/laws.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1
