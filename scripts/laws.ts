// Tries every law at full size and writes the figures to docs/laws.md. Exits with 1 if one is broken.
//
//   npm run laws                 with a new seed, which it prints and writes
//   npm run laws -- --seed 2026  with this one

import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reportOf } from '../proofs/laws/report.ts'
import { tryAllLaws } from '../proofs/laws/try-all.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' } } })
const seed = values.seed === undefined ? randomInt(2 ** 31 - 1) : Number(values.seed)
if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not "${values.seed}".`)
process.stderr.write(`seed ${seed}\n`)

const { findings, figures, accounts } = await tryAllLaws(seed)
const broken = findings.filter((finding) => finding.broken.length > 0)

writeFileSync(fileURLToPath(new URL('../docs/laws.md', import.meta.url)), reportOf(findings, figures, accounts))
process.stderr.write(`seed ${seed}: ${findings.length} promises, ${broken.length} broken; figures in docs/laws.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1
