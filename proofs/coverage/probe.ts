// Reads recordings as one user would and prints, as JSON, the arms of parsers and sources that none of them needed.
//
//   node proofs/coverage/probe.ts recordings   what the fixtures need
//   node proofs/coverage/probe.ts mangled      what the fixtures and damaged copies of their records need

import { startCounting } from './arms.ts'

const MANGLED = 2_000
const SEED = 1

const idleArms = await startCounting()
const { parsers } = await import('@millrace/core/parse')
const { detectFormat } = await import('@millrace/core/parse/detect')
const { fixturesOf, recordsOf } = await import('@millrace/testkit/fixtures')
const { mangledRecords } = await import('@millrace/testkit/mangled-records')
const { eventsOf } = await import('@millrace/testkit/read-recording')

const isMangled = process.argv[2] === 'mangled'

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

/** Cut within characters and records. */
function inPieces(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += 61) pieces.push(bytes.subarray(at, at + 61))
  return pieces
}
