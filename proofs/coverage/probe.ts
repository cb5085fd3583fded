// Reads recordings as one user would and prints, as JSON, the arms of parsers and sources that none of them needed.
//
//   node proofs/coverage/probe.ts recordings   what the fixtures, the byte cases and our own wires need
//   node proofs/coverage/probe.ts mangled      what the fixtures and damaged copies of their records need

import type { Parser } from '@millrace/core/parse/parser'
import { startCounting } from './arms.ts'

const MANGLED = 2_000
const SEED = 1

const idleArms = await startCounting()
const { parsers } = await import('@millrace/core/parse')
const { detectFormat } = await import('@millrace/core/parse/detect')
const { recordsOf } = await import('@millrace/testkit/recordings')
const { fixturesOf } = await import('@millrace/testkit/repository/fixtures')
const { mangledRecords } = await import('@millrace/testkit/mangled-records')
const { eventsOf } = await import('@millrace/testkit/read-recording')
const { entriesOf } = await import('@millrace/testkit/runs')
const { sourceCases } = await import('@millrace/testkit/source-cases')
const { getSource } = await import('@millrace/core/source')
const { recordOf } = await import('@millrace/core/source/source')
const { wires } = await import('@millrace/core/wire')

const isMangled = process.argv[2] === 'mangled'

if (!isMangled) {
  readSourceCases()
  readWires()
}

for (const [format, parser] of Object.entries(parsers)) {
  const recordings = fixturesOf(format)
  for (const { records, framing, bytes } of recordings) {
    eventsOf(parser, records)
    detectFormat(parsers, records)
    for (const record of records) parser.recognize(record)
    recordsOf('auto', [bytes])
    recordsOf(framing, inPieces(bytes))
    if (!isMangled) continue
    for (const { at, record } of mangledRecords(records, Math.ceil(MANGLED / recordings.length), SEED)) {
      eventsOf(parser, records.with(at, record))
      parser.recognize(record)
    }
  }
}

process.stdout.write(JSON.stringify(await idleArms(['packages/core/src/parse/', 'packages/core/src/source/'])))

/** Their records are expected in the test of the sources. */
function readSourceCases(): void {
  for (const { framing, slices, maxRecord } of sourceCases) {
    const bytes = slices.map((slice) => new TextEncoder().encode(slice))
    const options = maxRecord === undefined ? {} : { maxRecord }
    for (const name of [framing, 'auto'] as const) {
      recordsOf(name, bytes, options)
      recordsOf(name, bytes.flatMap(inPieces), options)
    }
  }
  for (const framing of ['auto', 'unknown']) {
    try {
      getSource(framing)().framing?.()
    } catch {
      // A framing that does not exist is refused.
    }
  }
}

/** What Millrace writes of every recording is read back. The test of round trips compares it with the recording. */
function readWires(): void {
  for (const [format, wire] of Object.entries(wires)) {
    const parser = (parsers as { readonly [format: string]: Parser })[format]
    if (parser === undefined) continue
    for (const [name, recorded] of Object.entries(parsers)) {
      for (const { records } of fixturesOf(name)) {
        const wireState = wire.create({ runId: 'run', threadId: 'thread' })
        const chunks = entriesOf(eventsOf(recorded, records)).flatMap((entry) => wireState.push(entry))
        eventsOf(
          parser,
          chunks.map((chunk) => recordOf(JSON.stringify(chunk))),
        )
      }
    }
  }
}

/** Cut within characters and records. */
function inPieces(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += 61) pieces.push(bytes.subarray(at, at + 61))
  return pieces
}
