// Packs every package, installs it outside of the repository, starts `millrace serve` there and lets the clients and producers
// of the five systems that Millrace unites talk to it, each with its own frames. Writes what was seen to docs/switch.md. Exits
// with 1 if a promise is not kept.
//
//   npm run switch             all of them, against packed packages
//   npm run switch -- first    those whose names contain `first`; nothing is written
//   npm run switch -- --linked [first]    against the packages of the repository as they are, without npm's registry

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pageOf } from '../proofs/switch/page.ts'
import { installPacked, linked, type SwitchFinding, tryPrograms } from '../proofs/switch/try-all.ts'

const isLinked = process.argv.includes('--linked')
const [part] = process.argv.slice(2).filter((argument) => argument !== '--linked')

function print({ program, rows }: SwitchFinding): void {
  process.stdout.write(`${program.name}: ${program.title}\n`)
  for (const { promise, kept, note } of rows) {
    process.stdout.write(`  ${kept ? 'kept  ' : 'BROKEN'}  ${promise}\n          ${note}\n`)
  }
}

const installed = isLinked ? linked : await installPacked()
try {
  const findings = await tryPrograms(part ?? '', installed, print)
  const isWhole = part === undefined && !isLinked
  if (isWhole) writeFileSync(fileURLToPath(new URL('../docs/switch.md', import.meta.url)), pageOf(findings))
  const isKept = findings.every(({ rows }) => rows.length > 0 && rows.every(({ kept }) => kept))
  process.exitCode = isKept ? 0 : 1
} finally {
  installed.remove()
}
