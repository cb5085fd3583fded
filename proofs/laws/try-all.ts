import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { conserveLaw } from '@millrace/testkit/conserve'
import { foldLaws, type Run } from '@millrace/testkit/fold-laws'
import { goldenLaw } from '@millrace/testkit/golden'
import { hostileTextLaw, hostileTexts } from '@millrace/testkit/hostile-text'
import { brief, type Effort } from '@millrace/testkit/law'
import { parserLaws, splitLaw } from '@millrace/testkit/parser-laws'
import type { Recording } from '@millrace/testkit/recordings'
import { corpusOf, fixturesOf, unreadFolders } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun, waitingRun } from '@millrace/testkit/runs'
import { clientVerdicts, wireLaws } from '@millrace/testkit/wire-laws'
import { wireFacts } from '../wires/facts.ts'
import { type AccountRow, accountRow } from './accounts.ts'
import { generatedFindings } from './generated.ts'
import { type Finding, measure, measureAll } from './measure.ts'
import { tryProperties } from './properties.ts'

const MANGLED = 8_000
const GENERATED = 3_000
/** Prefixes of one recording, or all of them if it has fewer. Each try reads the whole prefix. */
const PREFIXES = 80
/** In bytes. A larger fixture is not cut at every byte: the cost grows with the square of its size. */
const CUT_EVERYWHERE = 8_000
const PARTITIONS = 200
const CLIENT_RUNS = 300

/** For recordings. */
const fullSize: Omit<Effort, 'seed'> = {
  prefixes: PREFIXES,
  clientCuts: 6,
  mangled: MANGLED,
  twoWayCuts: 16,
  partitions: 4,
  dripUpTo: 100_000,
  hostileText: 1024 * 1024,
}

/** For the many generated streams. */
const few: Effort = { ...brief, prefixes: 4 }
/** For the clients, which are slower than any law. */
const played: Effort = { ...brief, clientCuts: 6 }

/** What the laws were tried on, how large the try was, and what came of it. */
export interface LawsReport {
  readonly findings: readonly Finding[]
  readonly figures: readonly string[]
  readonly accounts: readonly AccountRow[]
}

/** What one family of laws adds to the report. */
interface Part {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

/** Tries every law but the eleventh (`histories.ts`) at full size: every parser, `normalize`, the fold and every wire. */
export async function tryAllLaws(seed: number): Promise<LawsReport> {
  const properties = tryProperties(seed)
  const read = await tryParsers({ ...fullSize, seed })
  const normalized = await generatedFindings(GENERATED, seed)
  const generated = [waitingRun, ...generatedRuns(GENERATED, seed)]
  const folded = await tryFold(read.runs, generated, { ...fullSize, seed })
  const written = await tryWires(read.runs, generated)
  const unread = unreadFolders(Object.keys(parsers)).map((folder) => `corpus folder ${folder}: no parser of this name`)
  return {
    findings: [properties, ...read.findings, ...normalized, ...folded, ...written.findings],
    figures: [`seed ${seed}`, ...EFFORT, ...read.notes, ...unread, ...written.notes],
    accounts: read.accounts,
  }
}

const EFFORT = [
  `up to ${PREFIXES} prefixes of every recording for parsers and the fold, fewer for wires and generated streams; up to ${MANGLED} mangled records per format, fewer if its recordings cannot be mangled in so many ways`,
  `every cut in two, byte by byte, and ${PARTITIONS} random partitions of the largest fixture of at most ${CUT_EVERYWHERE} bytes per format`,
  `${GENERATED} generated streams of each kind`,
]

interface ReadPart extends Part {
  readonly accounts: readonly AccountRow[]
  readonly runs: readonly Run[]
}

async function tryParsers(everything: Effort): Promise<ReadPart> {
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
    const largestCase = cases.filter(({ recording }) => recording === largest(fixtures))
    const everyCut = { ...everything, twoWayCuts: Number.POSITIVE_INFINITY, partitions: PARTITIONS }
    findings.push(...(await measureAll(`parse ${format}, every cut in two`, [splitLaw], largestCase, everyCut)))
    runs.push(...recordings.map((recording) => recordedRun(parser, recording)))
  }
  return { findings, notes, accounts, runs }
}

async function tryFold(
  recorded: readonly Run[],
  generated: readonly Run[],
  everything: Effort,
): Promise<readonly Finding[]> {
  return [
    ...(await measureAll('fold, recordings', foldLaws, recorded, everything)),
    ...(await measureAll('fold, generated streams', foldLaws, generated, few)),
    ...(await measureAll('fold and wires, hostile text', [hostileTextLaw], [...hostileTexts], everything)),
  ]
}

async function tryWires(recorded: readonly Run[], generated: readonly Run[]): Promise<Part> {
  const findings: Finding[] = []
  const notes: string[] = []
  for (const [name, wire] of Object.entries(wires)) {
    const facts = wireFacts[name]
    if (facts === undefined) throw new Error(`The wire ${name} has no file in proofs/wires/facts.`)
    const onWire = (run: Run) => ({ ...run, wire, facts })
    findings.push(...(await measureAll(`wire ${name}, recordings`, wireLaws, recorded.map(onWire), brief)))
    findings.push(...(await measureAll(`wire ${name}, generated streams`, wireLaws, generated.map(onWire), few)))
    if (typeof facts.client !== 'function') {
      notes.push(`${name} has no client to be read by: ${facts.client.none}`)
      continue
    }
    const clientRuns = [...recorded, ...generated.slice(0, CLIENT_RUNS)].map(onWire)
    const promise = 'is accepted by its own client, which ends with the folded content'
    findings.push(await measure(`wire ${name}`, promise, clientRuns, (of) => clientVerdicts(of, played)))
  }
  return { findings, notes }
}

function largest(recordings: readonly Recording[]): Recording | undefined {
  return recordings
    .filter(({ bytes }) => bytes.length <= CUT_EVERYWHERE)
    .toSorted((a, b) => b.bytes.length - a.bytes.length)[0]
}
