import { type FormatName, parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { getSource } from '@millrace/core/source'
import type { Recording } from '@millrace/testkit/recordings'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { measure } from '../measure.ts'
import type { Figure, Row } from '../row.ts'

const CHUNK = 4096

/** Recordings of one format, as many times over as make about this many bytes. */
const BYTES = 3_000_000

/** How often a record that only adds text is repeated. */
const STRETCH = 400

type Stream = Pick<Recording, 'bytes' | 'framing'>

function readAll(name: FormatName, streams: readonly Stream[]): number {
  let events = 0
  for (const { framing, bytes } of streams) {
    const source = getSource(framing)()
    const reader = createReader(parsers[name])
    for (let at = 0; at < bytes.length; at += CHUNK) {
      for (const record of source.feed(bytes.subarray(at, at + CHUNK))) events += reader.push(record).length
    }
    for (const record of source.end()) events += reader.push(record).length
    events += reader.end().length
  }
  return events
}

function payloadsOf(streams: readonly Stream[]): string[] {
  return streams
    .flatMap(({ framing, bytes }) => {
      const source = getSource(framing)()
      return [...source.feed(bytes), ...source.end()]
    })
    .filter(({ problem, text }) => problem === undefined && text !== '[DONE]')
    .map(({ text }) => text)
}

/** Our fixtures, each made as long as a long answer: records that only add text come many times, as server-sent events. */
function stretched(name: FormatName): Stream[] {
  return fixturesOf(name).map(({ records }) => {
    const reader = createReader(parsers[name])
    const frames = records.map((record) => {
      const types = new Set(reader.push(record).map(({ type }) => type))
      const isText = types.delete('block-delta') && [...types].every((type) => type.startsWith('block-'))
      return `data: ${record.text}\n\n`.repeat(isText ? STRETCH : 1)
    })
    return { framing: 'sse', bytes: new TextEncoder().encode(frames.join('')) }
  })
}

function ratioOf(name: FormatName, once: readonly Stream[]): number {
  const size = once.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const streams = Array.from({ length: Math.ceil(BYTES / size) }, () => once).flat()
  const payloads = payloadsOf(streams)
  const times = measure(
    {
      floor() {
        let last: unknown
        for (const payload of payloads) last = JSON.parse(payload)
        return last
      },
      ours: () => readAll(name, streams),
    },
    11,
  )
  return times.ours / times.floor
}

function figuresOf(name: FormatName): Figure[] {
  const long: Figure = { row: '3', what: `${name}, long answers`, value: ratioOf(name, stretched(name)), bound: 3 }
  const corpus = corpusOf(name)
  if (!('recordings' in corpus)) return [long]
  const what = `${name}, the corpus as it is: short streams too`
  return [long, { row: '3', what, value: ratioOf(name, corpus.recordings) }]
}

export const parse: Row = {
  title: 'bytes become well-formed events (floor: JSON.parse of the payloads)',
  run: () => (Object.keys(parsers) as FormatName[]).flatMap(figuresOf),
}
