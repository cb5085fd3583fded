// Judges the wires by their published clients and writes the figures to docs/clients.md. Exits with 1 if a client refuses
// something or ends with other content.
//
//     npm run clients                          all of it
//     npm run clients -- FORMAT                the recordings of the formats whose names contain the word; writes nothing
//     npm run clients -- pages                 the clients that need a page or a runtime
//     npm run clients -- pages CLIENT [SCENE]  those whose names contain the words; writes nothing
//     npm run clients -- streams               the packages that read event streams
//     npm run clients -- pictures              one run in three clients, side by side, into docs/images

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { takePictures } from '../proofs/clients/pages/pictures.ts'
import { pagesKept, pagesReport } from '../proofs/clients/pages/report.ts'
import { tryPages } from '../proofs/clients/pages/try-pages.ts'
import { reportOf, verdictOf } from '../proofs/clients/report.ts'
import { streamsReport } from '../proofs/clients/streams/report.ts'
import { tryStreams } from '../proofs/clients/streams/try-streams.ts'
import { tryFormats } from '../proofs/clients/try.ts'
import { installFolder } from './setup/folder.ts'

/** One part of the report, and whether everything in it is kept. */
interface Part {
  readonly text: string
  readonly isKept: boolean
}

/** The parts of the report, which are tried apart. */
const parts: { readonly [word: string]: (...words: readonly string[]) => Promise<Part> } = {
  async recordings(format = '') {
    const tried = await tryFormats(format)
    return { text: reportOf(tried), isKept: verdictOf(tried).isKept }
  },
  async pages(client = '', scene = '') {
    const played = await tryPages(client, scene)
    return { text: pagesReport(played), isKept: pagesKept(played) }
  },
  async streams() {
    const read = await tryStreams()
    return { text: streamsReport(read), isKept: read.every(({ problems }) => problems.length === 0) }
  },
}

const [word, ...more] = process.argv.slice(2)
const hasClients = () => installFolder('clients', 'the clients, about 1 GB')
if (word === 'pictures') {
  if (hasClients()) await takePictures()
  process.exit(hasClients() ? 0 : 1)
}
const isPart = word !== undefined && word in parts
const names = word === undefined ? Object.keys(parts) : [isPart ? word : 'recordings']
const words = isPart ? more : process.argv.slice(2)
if (names.some((name) => name !== 'recordings') && !hasClients()) process.exit(1)

const path = fileURLToPath(new URL('../docs/clients.md', import.meta.url))
for (const name of names) {
  const part = await parts[name]?.(...words)
  if (part?.isKept !== true) process.exitCode = 1
  if (part !== undefined && words.length === 0)
    writeFileSync(path, withPart(readFileSync(path, 'utf8'), name, part.text))
}

/** The report with another text between the marks of a part. */
function withPart(report: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before = '', rest = ''] = report.split(begin)
  return `${before}${begin}\n\n${text.trim()}\n\n${end}${rest.split(end)[1] ?? '\n'}`
}
