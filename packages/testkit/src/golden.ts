import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Law } from './law.ts'
import type { ParserCase } from './parser-laws.ts'
import { eventsOf } from './read-recording.ts'
import { same } from './verdicts.ts'

/** Golden files are reviewed like code. A missing one is written, but never by continuous integration. */
export const goldenLaw: Law<ParserCase> = {
  promise: 'gives the events of its golden files',
  *check({ parser, recording: { records, golden } }) {
    if (golden === undefined) return
    const events = eventsOf(parser, records)
    if (!existsSync(golden)) {
      if (process.env.CI !== undefined) yield 'its golden file is missing: run the tests once without CI and read it'
      else writeFileSync(golden, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      return
    }
    const lines = readFileSync(golden, 'utf8').trimEnd().split('\n')
    yield same(
      JSON.parse(JSON.stringify(events)),
      lines.map((line) => JSON.parse(line)),
      'against its golden file',
    )
  },
}
