// Watches one live run on every wire at once, cuts some of the viewers, and prints what each ends with. Exits with 1 if
// one of them ends with other content than the folded run.

import { readFileSync } from 'node:fs'
import { compare } from '../proofs/wires/compare.ts'
import { viewers } from '../proofs/wires/facts.ts'
import { reportOf } from '../proofs/wires/report.ts'
import { watchAll } from '../proofs/wires/watch-all.ts'

const [format = 'claude-agent-sdk', file] = process.argv.slice(2)
const path = file ?? new URL(`../fixtures/${format}/scenario.jsonl`, import.meta.url)
const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
const comparison = await compare(await watchAll(format, lines, viewers))
process.stdout.write(reportOf(comparison))
const isBroken = comparison.problems.length > 0 || comparison.findings.some(({ problem }) => problem !== undefined)
process.exitCode = isBroken ? 1 : 0
