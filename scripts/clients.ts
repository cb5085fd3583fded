// Judges the wires by their published clients and writes the figures to docs/clients.md. Exits with 1 if a client refuses
// something or ends with other content.
//
//     npm run clients                          all of it
//     npm run clients -- FORMAT                the recordings of the formats whose names contain the word; writes nothing
//     npm run clients -- pages                 the clients that need a page or a program
//     npm run clients -- pages CLIENT [SCENE]  those whose names contain the words; writes nothing

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pagesKept, pagesReport } from '../proofs/clients/pages/report.ts'
import { tryPages } from '../proofs/clients/pages/try-pages.ts'
import { reportOf, verdictOf } from '../proofs/clients/report.ts'
import { tryFormats } from '../proofs/clients/try.ts'
import { installFolder } from './setup/folder.ts'

const path = fileURLToPath(new URL('../docs/clients.md', import.meta.url))
/** The two parts of the report, which are tried apart. */
const PAGES = '## In pages and programs\n'

const [word, client, scene] = process.argv.slice(2)
const [recordings = '', pages = ''] = readFileSync(path, 'utf8').split(PAGES)
const parts = { recordings, pages }
let isKept = true

if (word !== 'pages') {
  const tried = await tryFormats(word ?? '')
  isKept &&= verdictOf(tried).isKept
  parts.recordings = `${reportOf(tried)}\n`
}
if (word === undefined || word === 'pages') {
  if (!installFolder('clients', 'the clients, about 1 GB')) process.exit(1)
  const played = await tryPages(client ?? '', scene ?? '')
  isKept &&= pagesKept(played)
  parts.pages = pagesReport(played)
}
const isWhole = word === undefined || (word === 'pages' && client === undefined)
if (isWhole) writeFileSync(path, `${parts.recordings}${PAGES}${parts.pages}`)
process.exitCode = isKept ? 0 : 1
