import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { StreamEvent } from '@millrace/core/events'
import type { Law, Verdict } from './law.ts'
import type { ParserCase } from './parser-laws.ts'
import { eventsOf } from './read-recording.ts'
import { doesNotThrow, same } from './verdicts.ts'

/** Golden files are reviewed like code. A missing one is written, but never by continuous integration. */
export const goldenLaw: Law<ParserCase> = {
  promise: 'gives the events of its golden files',
  *check({ parser, recording: { records, golden } }) {
    if (golden === undefined) return
    const events = eventsOf(parser, records)
    if (existsSync(golden)) yield doesNotThrow(() => difference(events, golden), 'its golden file cannot be read')
    else if (process.env.CI === undefined) writeFileSync(golden, linesOf(events).join(''))
    else yield `its golden file is missing: run the tests once without CI, read ${golden} and commit it`
  },
}

function difference(events: readonly StreamEvent[], golden: string): Verdict {
  const lines = readFileSync(golden, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const when = 'against its golden file, which is written again if it is deleted'
  return same(
    JSON.parse(JSON.stringify(events)),
    lines.map((line) => JSON.parse(line)),
    when,
  )
}

const linesOf = (events: readonly StreamEvent[]) => events.map((event) => `${JSON.stringify(event)}\n`)
