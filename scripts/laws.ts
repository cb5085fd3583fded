// Tries every law at full size and writes the figures to docs/laws.md. Exits with 1 if one is broken.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reportOf } from '../proofs/laws/report.ts'
import { tryAllLaws } from '../proofs/laws/try-all.ts'

const { findings, figures, accounts } = await tryAllLaws()
const broken = findings.filter((finding) => finding.broken.length > 0)

writeFileSync(fileURLToPath(new URL('../docs/laws.md', import.meta.url)), reportOf(findings, figures, accounts))
process.stderr.write(`${findings.length} promises, ${broken.length} broken; figures in docs/laws.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1
