import { isDeepStrictEqual } from 'node:util'
import { isStreamEvent, type StreamEvent } from '@millrace/core/events'
import { createFeatureCounter, lossesOf } from '@millrace/core/losses'
import { detectFormat, type Parser, parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { type RawRecord, recordOf } from '@millrace/core/source'
import { accountOf } from './accounts.ts'
import type { Law } from './law.ts'
import { mangledRecords } from './mangled-records.ts'
import { lostProse } from './prose.ts'
import { eventsOf, parsedOf, pushedOf } from './read-recording.ts'
import { type Recording, recordsOf } from './recordings.ts'
import { sample, upTo, withoutClock } from './seeded.ts'
import { partitionsOf } from './split.ts'
import { doesNotThrow, problemIn, same } from './verdicts.ts'

/** One recording of one framework. */
export interface ParserCase {
  readonly name: string
  /** The name of the parser in the registry. */
  readonly format: string
  readonly parser: Parser
  readonly recording: Recording
}

/** Records that no framework sends: each is kept as `raw` and gives no other event. */
const garbage: readonly RawRecord[] = [
  recordOf('this is no JSON {'),
  recordOf('{"unheard":"of","nested":{"list":[1,{"deep":null}]}}'),
  recordOf('{"type":"unheard-of"}'),
  recordOf('null'),
  recordOf('42'),
  recordOf(`${'['.repeat(60)}${']'.repeat(60)}`),
]

/** Law 1. */
export const splitLaw: Law<ParserCase> = {
  promise: 'gives the same events however the bytes are split',
  *check({ parser, recording: { bytes, framing } }, effort) {
    const whole = recordsOf(framing, [bytes])
    const events = eventsOf(parser, whole)
    for (const { name, slices: pieces } of partitionsOf(bytes, effort)) {
      const records = recordsOf(framing, pieces)
      yield same(records.map(textOf), whole.map(textOf), `${name}, records`)
      yield same(eventsOf(parser, records), events, `${name}, events`)
    }
  },
}

/** Each law over one recording. */
export const parserLaws: readonly Law<ParserCase>[] = [
  {
    promise: 'gives a well-formed stream',
    *check({ parser, recording }) {
      yield problemIn(eventsOf(parser, recording.records))
    },
  },
  {
    promise: 'cut after any record, gives the beginning of the whole and then closes all; a second end is empty',
    *check({ parser, recording: { records } }, { prefixes, seed }) {
      const whole = pushedOf(parser, records)
      for (const k of sample(upTo(records.length), prefixes, seed)) {
        const reader = createReader(parser)
        const before = records.slice(0, k).flatMap((record) => reader.push(record))
        const isBeginning = isDeepStrictEqual(before, whole.slice(0, k).flat())
        yield isBeginning ? undefined : `cut after ${k} records, the events before differ`
        yield problemIn([...before, ...reader.end()], `cut after ${k} records`)
        yield reader.end().length === 0 ? undefined : `cut after ${k} records, a second end gives events`
      }
    },
  },
  {
    promise: 'closed as interrupted after any record, gives a well-formed stream',
    *check({ parser, recording: { records } }, { prefixes, seed }) {
      for (const k of sample(upTo(records.length), prefixes, seed)) {
        const reader = createReader(parser)
        const before = records.slice(0, k).flatMap((record) => reader.push(record))
        const events = [...before, ...reader.close({ type: 'run-end', outcome: 'interrupted' })]
        yield problemIn(events, `closed after ${k} records`)
        const isLast = isDeepStrictEqual(events.at(-1), { type: 'run-end', outcome: 'interrupted' })
        yield isLast ? undefined : `closed after ${k} records, its last event differs`
      }
    },
  },
  {
    promise: 'is not changed by a second instance beside it',
    *check({ parser, recording: { records } }) {
      const [one, other] = [createReader(parser), createReader(parser)]
      const [before, beside]: [StreamEvent[], StreamEvent[]] = [[], []]
      for (const [index, record] of records.entries()) {
        before.push(...one.push(record))
        const late = records[index - 1]
        if (late !== undefined) beside.push(...other.push(late))
      }
      for (const record of records.slice(-1)) beside.push(...other.push(record))
      const whole = eventsOf(parser, records)
      yield same([...before, ...one.end()], whole, 'the first')
      yield same([...beside, ...other.end()], whole, 'the second')
    },
  },
  {
    promise: 'stays well-formed when every record comes twice',
    *check({ parser, recording: { records } }) {
      yield problemIn(
        eventsOf(
          parser,
          records.flatMap((record) => [record, record]),
        ),
      )
      yield problemIn(eventsOf(parser, [...records, ...records]), 'the whole stream twice')
    },
  },
  {
    promise: 'is deterministic: no clock, no randomness',
    *check({ parser, recording: { records } }) {
      const once = eventsOf(parser, records)
      yield same(
        withoutClock(() => eventsOf(parser, records)),
        once,
        'again, without a clock',
      )
    },
  },
  {
    promise: 'keeps garbage between records as raw and is not changed by it',
    *check({ parser, recording: { records } }, { prefixes, seed }) {
      const withoutRaw = (events: StreamEvent[]) => events.filter(({ type }) => type !== 'raw')
      const clean = eventsOf(parser, records)
      const first = pushedOf(parser, records).findIndex((events) => events.length > 0)
      const positions = upTo(records.length - 1).filter((at) => at > first && first !== -1)
      for (const at of sample(positions, Math.min(prefixes, 60), seed)) {
        const noisy = eventsOf(parser, [...records.slice(0, at), ...garbage, ...records.slice(at)])
        yield same(withoutRaw(noisy), withoutRaw(clean), `garbage after ${at} records`)
        const kept = noisy.length - clean.length
        yield kept === garbage.length ? undefined : `garbage after ${at} records: ${kept} of ${garbage.length} kept`
      }
    },
  },
  {
    promise: 'survives mangled records: nothing throws, the stream stays well-formed',
    *check({ parser, recording: { records } }, { mangled, seed }) {
      for (const { at, what, record } of mangledRecords(records, mangled, seed)) {
        const when = `record ${at}, ${what}`
        yield doesNotThrow(() => problemIn(eventsOf(parser, records.with(at, record)), when), when)
      }
    },
  },
  {
    promise: 'accounts for every record: it gives events, is recognised without events, or is kept as raw',
    *check({ parser, recording: { records } }) {
      const { fates } = accountOf(parser, records)
      for (const [at, fate] of fates.entries()) yield fate === 'unaccounted' ? `record ${at} is gone` : undefined
    },
  },
  {
    promise: 'accounts for every mangled record, and is silent about none whose sentences no event holds',
    *check({ parser, recording: { records } }, { mangled, seed }) {
      for (const { at, what, record } of mangledRecords(records, mangled, seed)) {
        const { fates, returned } = accountOf(parser, records.with(at, record))
        const unaccounted = fates.indexOf('unaccounted')
        const [lost] = fates[at] === 'silent' ? lostProse([record], returned) : []
        const swallowed = lost && `record ${at}, ${what}: lost: ${JSON.stringify(lost.slice(0, 80))}`
        yield unaccounted === -1 ? swallowed : `record ${at}, ${what}: record ${unaccounted} is gone`
      }
    },
  },
  splitLaw,
  {
    promise: 'is recognised by its own recordings',
    *check({ format, parser, recording }) {
      const detected = detectFormat({ ...parsers, [format]: parser }, recording.records)
      const expected = recording.detectedAs === undefined ? format : recording.detectedAs
      yield (detected.format ?? null) === expected
        ? undefined
        : `taken for ${detected.format ?? 'nothing'}: ${detected.reason}`
    },
  },
  {
    promise: 'carries nothing that it declares as lost',
    *check({ parser, recording }) {
      // Millrace adds to what it writes all that the format cannot express.
      if (recording.isWrittenByMillrace) return
      const counter = createFeatureCounter()
      for (const event of parsedOf(parser, recording.records)) {
        counter.note(event)
        const [lost] = lossesOf(parser.losses, counter.counts())
        yield lost && `"${lost.feature}" is declared as lost, and here it is: ${JSON.stringify(event)}`
        if (lost !== undefined) return
      }
    },
  },
  {
    promise: 'gives events of the right shape only',
    *check({ parser, recording }) {
      for (const event of parsedOf(parser, recording.records))
        yield isStreamEvent(event) ? undefined : `not well-shaped: ${JSON.stringify(event)}`
    },
  },
  {
    promise: 'loses no sentence that a record holds',
    *check({ parser, recording: { records } }) {
      const events = parsedOf(parser, records)
      for (const lost of lostProse(records, events)) yield `lost: ${JSON.stringify(lost.slice(0, 80))}`
      yield undefined
    },
  },
]

const textOf = ({ text, name, problem }: RawRecord) => ({ text, name, code: problem?.code })
