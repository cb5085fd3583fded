// Tries every fault at full size and writes the figures to docs/faults.md. Exits with 1 if a promise is broken.
// With arguments, only the faults whose names contain the first are tried, with the second as seed; nothing is written.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faults } from '../proofs/faults/index.ts'
import { type Finding, reportOf } from '../proofs/faults/report.ts'

const SEED = 2026

const [namePart, seedText] = process.argv.slice(2)
const seed = seedText === undefined ? SEED : Number(seedText)
const findings: Finding[] = []

for (const fault of faults.filter(({ name }) => namePart === undefined || name.includes(namePart))) {
  const began = performance.now()
  const trial = await fault.run(fault.sizes.full, seed)
  const seconds = Math.round((performance.now() - began) / 1_000)
  findings.push({ fault, seed, ...trial })
  console.log(`${fault.name}: ${trial.tried}, seed ${seed}, ${trial.broken.length} broken, ${seconds} s`)
  for (const line of [...trial.figures, ...trial.broken]) console.log(`  ${line}`)
}

if (namePart === undefined) {
  writeFileSync(fileURLToPath(new URL('../docs/faults.md', import.meta.url)), reportOf(findings))
}
process.exitCode = findings.some(({ broken }) => broken.length > 0) ? 1 : 0
