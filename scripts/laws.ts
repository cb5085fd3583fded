// Tries every law at full size and writes the figures to docs/laws.md. Exits with 1 if one is broken, with 2 if it is asked for
// something else.
//
//   npm run laws                 with a new seed, which it prints and writes
//   npm run laws -- --seed 2026  with this one
//   npm run laws -- history      only law 11, loaded = streamed: its section of the page is written anew
//   npm run laws -- history WIRE --seed SEED  law 11 on one wire, or one of its profiles ("WIRE, PROFILE"): its
//                                            rows are written anew. The seed is that of the page

import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allWires } from '@millrace/core/wire'
import { tryHistories } from '../proofs/laws/histories.ts'
import { reportOf, withLoading, withLoadingRows } from '../proofs/laws/report.ts'
import { tryAllLaws } from '../proofs/laws/try-all.ts'

const PAGE = fileURLToPath(new URL('../docs/laws.md', import.meta.url))

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const seed = values.seed === undefined ? randomInt(2 ** 31 - 1) : Number(values.seed)
if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not "${values.seed}".`)
const [name, wire] = positionals
if (name !== undefined && name !== 'history') {
  console.error(`There is only "history" to be tried alone, not "${name}".`)
  process.exit(2)
}
if (wire !== undefined && !Object.hasOwn(allWires(), wire.split(',')[0] ?? '')) {
  console.error(`There is no wire "${wire}".`)
  process.exit(2)
}
process.stderr.write(`seed ${seed}\n`)

const all = name === undefined ? await tryAllLaws(seed) : undefined
const loading = await tryHistories(seed, wire)
const findings = [...(all?.findings ?? []), ...loading.findings]
const broken = findings.filter((finding) => finding.broken.length > 0)

const page = all === undefined ? readFileSync(PAGE, 'utf8') : reportOf(all.findings, all.figures, all.accounts)
const write = wire === undefined ? withLoading : withLoadingRows
writeFileSync(PAGE, write(page, loading.findings, loading.figures))
process.stderr.write(`seed ${seed}: ${findings.length} promises, ${broken.length} broken; figures in docs/laws.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1
