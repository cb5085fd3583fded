// Plays every recording to the clients of all wires but our own and writes the figures to docs/clients.md. Exits with 1 if
// one is refused or ends with other content. With an argument, only the formats whose names contain it are played, and
// nothing is written.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reportOf, verdictOf } from '../proofs/clients/report.ts'
import { tryFormats } from '../proofs/clients/try.ts'

const [namePart] = process.argv.slice(2)
const tried = await tryFormats(namePart ?? '')

if (namePart === undefined) {
  writeFileSync(fileURLToPath(new URL('../docs/clients.md', import.meta.url)), reportOf(tried))
}
process.exitCode = verdictOf(tried).isKept ? 0 : 1
