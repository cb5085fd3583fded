// Serves every recording to the clients of all protocols but our own and writes the figures to docs/clients.md. Exits
// with 1 if one is refused or ends with other content. A word as argument chooses the frameworks whose names hold it;
// nothing is written then.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parsers } from '@millrace/core/parse'
import { corpusOf, fixturesOf } from '@millrace/testkit/fixtures'
import { recordedOf } from '../proofs/clients/recorded.ts'
import { count, reportOf, verdictOf } from '../proofs/clients/report.ts'
import { type Tried, tryClients } from '../proofs/clients/try.ts'

const AT_ONCE = 4

const [wanted = ''] = process.argv.slice(2)
const tried: Tried[] = []

for (const format of Object.keys(parsers).filter((name) => name.includes(wanted))) {
  const began = performance.now()
  const found = await tryClients(recordedOf(format), AT_ONCE)
  tried.push(...found)
  const { problems } = verdictOf(found)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${format}: ${found.length} recordings, ${problems.length} problems, ${seconds} s`)
  for (const problem of problems) console.log(`  ${problem}`)
}

if (wanted === '') {
  const report = reportOf(tried, ['ai', '@ag-ui/client'].map(versionOf), [sources(), left(), asked(), byHand()])
  writeFileSync(fileURLToPath(new URL('../docs/clients.md', import.meta.url)), report)
}
process.exitCode = verdictOf(tried).isKept ? 0 : 1

function versionOf(name: string): string {
  const path = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return `\`${name}\` ${version}`
}

function sources(): string {
  const names = Object.keys(parsers)
  const corpus = names.flatMap((name) => {
    const found = corpusOf(name)
    return 'absent' in found ? [] : found.recordings
  })
  const fixtures = names.flatMap((name) => fixturesOf(name))
  return `${count(fixtures.length)} fixtures and ${count(corpus.length)} recordings of the corpus`
}

function left(): string {
  const some = tried.filter(({ recorded }) => recorded.isLeftToClient)
  return `${count(some.length)} recordings leave calls to the client: their chats are not told to send once those have outputs`
}

function asked(): string {
  const asking = tried.filter(({ recorded }) => recorded.asks)
  const beside = tried.filter(({ recorded }) => recorded.goesOnBeside)
  const answered = `${count(asking.length)} recordings ask, and are answered as they were when they were recorded`
  return `${answered}; ${count(beside.length)} of them go on after a question about no call, which a chat cannot answer: it hears the rest when it comes back`
}

function byHand(): string {
  const some = tried.filter(({ trials }) => trials.some((trial) => (trial.byHand ?? 0) > 0))
  return `${count(some.length)} of them ask about one call while others of its step have not begun: the SDK's own condition does not send such an answer, so the chat is told to (\`sendMessage()\`)`
}
