// Lists the arms of parsers and sources that no recording needs and writes them to docs/coverage.md. Exits with 1 if one
// of them has no reason, or a reason has no arm.
//
//   npm run coverage              all
//   npm run coverage -- langgraph the files with this in their path; writes nothing

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reportOf } from '../proofs/coverage/report.ts'
import { unneededArms } from '../proofs/coverage/unneeded.ts'

const [pathPart = ''] = process.argv.slice(2)
const { arms, staleReasons } = await unneededArms()
const chosen = arms.filter(({ file }) => file.includes(pathPart))
const unexplained = chosen.filter(({ reason }) => reason === undefined)
const stale = staleReasons.filter(({ file }) => file.includes(pathPart))

for (const { file, line, functionName, text } of unexplained) {
  console.log(`${file}:${line}  ${functionName || '(no name)'}  ${text.slice(0, 120)}`)
}
for (const { file, arm } of stale) console.log(`a reason without its arm: ${file}: ${arm}`)
console.log(`${chosen.length} arms are needed by no recording; ${unexplained.length} of them have no reason.`)
if (pathPart === '') writeFileSync(fileURLToPath(new URL('../docs/coverage.md', import.meta.url)), reportOf(arms))
process.exitCode = unexplained.length + stale.length === 0 ? 0 : 1
