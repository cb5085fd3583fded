import type { Entry, StreamEvent } from '@millrace/core/events'
import { type ChatEvent, fold, type Segment } from '@millrace/core/fold'
import {
  chunksOf,
  createFeatureCounter,
  createPieceEntries,
  matchesOf,
  recordOfEntry,
  traceOf,
  traceSums,
  writeRecords,
} from '@millrace/core/lens'
import { lossesOf } from '@millrace/core/losses'
import { type Parser, parsers, SILENT } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { createStamp } from '@millrace/core/read/stamp'
import { type Framing, type RawRecord, TERMINATOR } from '@millrace/core/source'
import { type WireName, wires } from '@millrace/core/wire'
import { type Recording, recordsOf } from '@millrace/testkit/recordings'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'

/** A recording as the log would hold it, and for each record what its parser has returned. */
interface Read {
  readonly name: string
  readonly records: readonly RawRecord[]
  readonly returned: readonly (readonly StreamEvent[] | undefined)[]
  readonly entries: readonly Entry[]
}

function read(parser: Parser, { name, records }: Recording): Read {
  let last: readonly StreamEvent[] | undefined
  const observed: Parser = {
    ...parser,
    create() {
      const state = parser.create()
      return { ...state, push: (value, record) => (last = state.push(value, record)) }
    },
  }
  const reader = createReader(observed)
  const stamp = createStamp()
  const entries: Entry[] = []
  const returned = records.map((record, index) => {
    last = undefined
    for (const event of reader.push(record)) entries.push(stamp(event, index + 1))
    return last
  })
  for (const event of reader.end()) entries.push(stamp(event, records.length))
  return { name, records, returned, entries }
}

const piecesIn = (segments: readonly Segment[]): readonly Segment[] =>
  segments.flatMap((segment) => (segment.type === 'subagent' ? [segment, ...piecesIn(segment.segments)] : [segment]))
const piecesOf = (chatEvents: readonly ChatEvent[]) => chatEvents.flatMap(({ segments }) => piecesIn(segments))

const sums = { pieces: 0, records: 0, quiet: 0, silent: 0, terminators: 0, held: 0, raw: 0 }
const marks = { entries: 0, marked: 0 }

/** Each drawn piece leads to at least one record, and that record to the piece. */
function checkPieces({ name, entries, records }: Read): void {
  const links = createPieceEntries()
  links.push(entries)
  const firsts = new Set<number>()
  for (const piece of piecesOf(fold(entries).chatEvents)) {
    sums.pieces++
    const own = links.entriesOf(piece)
    const where = `${name} ${piece.type} ${piece.seqs}`
    expect([own[0], own.at(-1)], where).toEqual(piece.seqs)
    if (piece.type === 'subagent')
      for (const inner of piecesIn(piece.segments))
        expect(own, where).toEqual(expect.arrayContaining([...links.entriesOf(inner)]))
    expect(firsts.has(piece.seqs[0]), where).toBe(false)
    firsts.add(piece.seqs[0])
    const leads = own.flatMap((seq) => recordOfEntry(entries[seq - 1] as Entry) ?? [])
    expect(leads.length, where).toBeGreaterThan(0)
    for (const record of new Set(leads)) {
      expect(record < records.length, where).toBe(true)
      const back = entries.filter((entry) => recordOfEntry(entry) === record).flatMap(({ seq }) => links.piecesOf(seq))
      const named = piece.type === 'subagent' ? piecesIn([piece]).map(({ seqs }) => seqs[0]) : [piece.seqs[0]]
      expect(
        back.some((first) => named.includes(first)),
        `${where}, back from record ${record}`,
      ).toBe(true)
    }
    checkMatches(entries, records, own)
  }
}

const decoded = (text: string) => {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** What is marked on both sides is the same content. */
function checkMatches(entries: readonly Entry[], records: readonly RawRecord[], own: readonly number[]): void {
  for (const seq of own) {
    const entry = entries[seq - 1] as Entry
    const [recordText, eventText] = [records[recordOfEntry(entry) ?? -1]?.text ?? '', JSON.stringify(entry.event)]
    const matches = matchesOf(recordText, eventText)
    marks.entries++
    if (matches.length > 0) marks.marked++
    for (const { record, event } of matches)
      expect(decoded(recordText.slice(...record))).toBe(decoded(eventText.slice(...event)))
  }
}

/** The trace shows every record and every entry once, in order, and a part of it what the whole shows there. */
function checkTrace({ name, entries, records }: Read): void {
  const own = new Set(entries.filter(({ seq }) => seq % 3 === 0).map(({ seq }) => seq))
  const rows = traceOf(entries, [1, entries.length], own)
  expect(
    rows.flatMap(({ entry }) => entry?.seq ?? []),
    name,
  ).toEqual(entries.map(({ seq }) => seq))
  expect(
    rows.flatMap(({ record }) => record ?? []),
    name,
  ).toEqual(records.map((_, index) => index))
  const middle = Math.ceil(entries.length / 2)
  const parts = [...traceOf(entries, [1, middle], own), ...traceOf(entries, [middle + 1, entries.length], own)]
  expect(parts, name).toEqual(rows)
}

/** Records that lead nowhere are counted, and are `SILENT` or `raw`; those held back lead to what they begin or repeat. */
function checkAccounts({ name, records, returned, entries }: Read): void {
  sums.records += records.length
  const { quiet, raw, events } = traceSums(
    entries,
    entries.map(({ seq }) => seq),
  )
  const given = new Set(entries.flatMap((entry) => recordOfEntry(entry) ?? []))
  const nowhere = records.flatMap((_, index) => (given.has(index) ? [] : [index]))
  const first = Math.min(...given)
  expect(nowhere.filter((record) => record > first).length, name).toBe(quiet)
  expect(events, name).toBe(entries.length)
  sums.quiet += nowhere.length
  sums.raw += raw
  for (const index of nowhere) {
    const events = returned[index]
    if (records[index]?.value === TERMINATOR) sums.terminators++
    else if (events === SILENT) sums.silent++
    else {
      sums.held++
      expect(events?.length, `${name}, record ${index}`).toBeGreaterThan(0)
      for (const event of events ?? [])
        expect(leadsTo(event, entries), `${name}, record ${index}, ${event.type}`).toBe(true)
    }
  }
}

const NAMES = ['blockId', 'callId', 'agentId', 'approvalId', 'messageId'] as const

/** Whether the log has something of what the event names; a beginning or an end of a run or a step names nothing. */
function leadsTo(event: StreamEvent, entries: readonly Entry[]): boolean {
  const fields: { readonly [name: string]: unknown } = { ...event }
  const name = NAMES.find((each) => fields[each] !== undefined)
  return entries.some(({ event: logged }) => {
    const loggedFields: { readonly [name: string]: unknown } = { ...logged }
    return name === undefined ? logged.type === event.type : loggedFields[name] === fields[name]
  })
}

/** Each wire sends chunks of every piece that has content, or declares why it does not. */
function checkWires({ name, entries }: Read): void {
  const links = createPieceEntries()
  links.push(entries)
  const { chatEvents } = fold(entries)
  const ofOthers = new Set(piecesOf(chatEvents.filter(({ role }) => role !== 'assistant')))
  for (const piece of piecesOf(chatEvents)) {
    const own = links.entriesOf(piece)
    const features = createFeatureCounter()
    for (const seq of own) features.note((entries[seq - 1] as Entry).event)
    if (ofOthers.has(piece)) features.note({ type: 'message-start', messageId: '', role: 'user' })
    for (const wire of Object.keys(wires) as WireName[]) {
      const sent = chunksOf(wire, entries, own, { runId: 'run', threadId: 'thread' })
      const where = `${name} ${piece.type} ${piece.seqs} on ${wire}`
      expect(
        sent.every(({ seq, isLater }) => own.includes(seq) !== (isLater === true)),
        where,
      ).toBe(true)
      if (wire === 'native') expect(sent.flatMap(({ seq, isLater }) => (isLater ? [] : [seq]))).toEqual(own)
      const isEmpty = 'text' in piece && piece.text === ''
      if (sent.length === 0 && !isEmpty) expect(lossesOf(wires[wire].losses, features.counts()), where).not.toEqual([])
    }
  }
}

/** The records in the bytes that are saved are those that were read. */
function checkWritten({ name, records }: Recording, framing: Framing): void {
  const whole = records.filter(({ problem }) => problem === undefined)
  const { text, extension } = writeRecords(framing, whole)
  const again = recordsOf(framing === 'auto' ? 'auto' : framing, [new TextEncoder().encode(text)])
  const facts = (each: RawRecord) => [each.value, framing === 'sse' ? each.name : undefined]
  expect(again.map(facts), `${name} as ${extension}`).toEqual(whole.map(facts))
}

describe('over every recording, the lens', () => {
  const recordings = Object.entries(parsers).flatMap(([name, parser]) =>
    fixturesOf(name).map((recording) => ({ recording, run: read(parser, recording) })),
  )

  it('leads from each drawn piece to a record, and back; what is marked on both sides is the same', () => {
    for (const { run } of recordings) checkPieces(run)
    expect(sums.pieces).toBeGreaterThan(4_000)
    // The rest is what begins and ends, what records say in words of their own, and what is decoded from Base64 or patches.
    expect(marks.marked / marks.entries).toBeGreaterThan(0.8)
  })

  it('shows each record and each entry once, in order', () => {
    for (const { run } of recordings) checkTrace(run)
  })

  it('counts the records that lead nowhere: they are silent or raw', () => {
    for (const { run } of recordings) checkAccounts(run)
    const { quiet, silent, terminators, held } = sums
    expect(quiet).toBe(silent + terminators + held)
    console.log(`The lens: ${JSON.stringify({ ...sums, ...marks })}`)
  })

  it('has the chunks of each wire', () => {
    // Each piece is read again on six wires: longer runs take long, and have the same pieces.
    const short = recordings.filter(({ run }) => run.entries.length < 40)
    expect(short.length).toBeGreaterThan(recordings.length / 2)
    for (const { run } of short) checkWires(run)
  })

  it('saves records so that reading them gives them again', () => {
    for (const { recording } of recordings) checkWritten(recording, recording.framing)
  })
})

describe('over the corpus, the lens', () => {
  for (const [name, parser] of Object.entries(parsers)) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`leads to records in ${name}: ${corpus.absent}`, () => {})
      continue
    }
    it(`leads to records in ${name}`, () => {
      for (const recording of corpus.recordings) {
        const run = read(parser, recording)
        for (const check of [checkPieces, checkTrace, checkAccounts]) check(run)
      }
    })
  }
})
