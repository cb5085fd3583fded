// Tries every law at full size and writes the figures to docs/laws.md. Exits with 1 if one is broken.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { conserveLaw } from '@millrace/testkit/conserve'
import { corpusOf, fixturesOf, type Recording, unreadFolders } from '@millrace/testkit/fixtures'
import { foldLaws, type Run } from '@millrace/testkit/fold-laws'
import { goldenLaw } from '@millrace/testkit/golden'
import { hostileTextLaw, hostileTexts } from '@millrace/testkit/hostile-text'
import { brief, type Effort } from '@millrace/testkit/law'
import { parserLaws, splitLaw } from '@millrace/testkit/parser-laws'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf, generatedRuns, waitingRun } from '@millrace/testkit/runs'
import { clientVerdicts, wireLaws } from '@millrace/testkit/wire-laws'
import { type AccountRow, accountRow } from '../proofs/laws/accounts.ts'
import { generatedFindings } from '../proofs/laws/generated.ts'
import { type Finding, measure, measureAll } from '../proofs/laws/measure.ts'
import { reportOf } from '../proofs/laws/report.ts'
import { wireFacts } from '../proofs/wires/facts.ts'

const SEED = 2026
const MANGLED = 8_000
const GENERATED = 3_000
/** Of a recording; all where there are fewer. Each try reads all that comes before. */
const PREFIXES = 80
/** In bytes: every cut in two of a larger one would be more than the square of this. */
const CUT_EVERYWHERE = 8_000
const PARTITIONS = 200
const CLIENT_RUNS = 300

const everything: Effort = {
  seed: SEED,
  prefixes: PREFIXES,
  mangled: MANGLED,
  twoWayCuts: 16,
  partitions: 4,
  dripUpTo: 100_000,
  hostileText: 1024 * 1024,
}

/** For the many generated streams. */
const few: Effort = { ...brief, seed: SEED, prefixes: 4 }

const findings: Finding[] = []
const notes: string[] = []
const accounts: AccountRow[] = []
const runs: Run[] = []

for (const [format, parser] of Object.entries(parsers)) {
  const fixtures = fixturesOf(format)
  const corpus = corpusOf(format)
  const recordings = 'absent' in corpus ? fixtures : [...fixtures, ...corpus.recordings]
  notes.push(
    'absent' in corpus
      ? `${format}: ${fixtures.length} fixtures (${corpus.absent})`
      : `${format}: ${fixtures.length} fixtures, ${corpus.recordings.length} recordings of the corpus`,
  )
  const cases = recordings.map((recording) => ({ name: recording.name, format, parser, recording }))
  const effort = { ...everything, mangled: Math.ceil(MANGLED / recordings.length) }
  accounts.push(accountRow(format, parser, recordings))
  findings.push(...(await measureAll(`parse ${format}`, [goldenLaw, ...parserLaws, conserveLaw], cases, effort)))
  const one = cases.filter(({ recording }) => recording === largest(fixtures))
  const all = { ...everything, twoWayCuts: Number.POSITIVE_INFINITY, partitions: PARTITIONS }
  findings.push(...(await measureAll(`parse ${format}, every cut in two`, [splitLaw], one, all)))
  for (const { name, records } of recordings) runs.push({ name, entries: entriesOf(eventsOf(parser, records)) })
}

for (const folder of unreadFolders(Object.keys(parsers))) notes.push(`corpus folder ${folder}: no parser of this name`)

findings.push(...(await generatedFindings(GENERATED, SEED)))
const generated = [waitingRun, ...generatedRuns(GENERATED, SEED)]
findings.push(...(await measureAll('fold, recordings', foldLaws, runs, everything)))
findings.push(...(await measureAll('fold, generated streams', foldLaws, generated, few)))

findings.push(...(await measureAll('fold and wires, hostile text', [hostileTextLaw], [...hostileTexts], everything)))

for (const [wire, format] of Object.entries(wires)) {
  const facts = wireFacts[wire]
  if (facts === undefined) throw new Error(`The wire ${wire} has no file in proofs/wires/facts.`)
  const onWire = (run: Run) => ({ ...run, wire: format, facts })
  findings.push(...(await measureAll(`wire ${wire}, recordings`, wireLaws, runs.map(onWire), brief)))
  findings.push(...(await measureAll(`wire ${wire}, generated streams`, wireLaws, generated.map(onWire), few)))
  if (typeof facts.client !== 'function') {
    notes.push(`${wire} has no client to be read by: ${facts.client.none}`)
    continue
  }
  const read = [...runs, ...generated.slice(0, CLIENT_RUNS)].map(onWire)
  const promise = 'is accepted by its own client, which ends with the folded content'
  findings.push(await measure(`wire ${wire}`, promise, read, (of) => clientVerdicts(of, few)))
}

const figures = [
  `seed ${SEED}; up to ${PREFIXES} prefixes of every recording for parsers and the fold, fewer for wires and generated streams; up to ${MANGLED} mangled records per format, fewer where its recordings cannot be mangled in so many ways`,
  `every cut in two, byte by byte, and ${PARTITIONS} random partitions of the largest fixture of at most ${CUT_EVERYWHERE} bytes per format`,
  `${GENERATED} generated streams of each kind`,
  ...notes,
]
writeFileSync(fileURLToPath(new URL('../docs/laws.md', import.meta.url)), reportOf(findings, figures, accounts))
const broken = findings.filter((finding) => finding.broken.length > 0)
process.stderr.write(`${findings.length} promises, ${broken.length} broken; figures in docs/laws.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1

function largest(recordings: readonly Recording[]): Recording | undefined {
  return recordings
    .filter(({ bytes }) => bytes.length <= CUT_EVERYWHERE)
    .toSorted((a, b) => b.bytes.length - a.bytes.length)[0]
}
