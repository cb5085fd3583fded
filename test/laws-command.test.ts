import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { sample } from '@millrace/testkit/seeded'
import { describe, expect, it } from 'vitest'
import { millrace } from '../packages/millrace/test/command.ts'

describe('the command', () => {
  for (const [name, parser] of Object.entries(parsers)) {
    it(`converts ${name} to the events that the library reads, including a last line without line end`, async () => {
      for (const recording of sample(fixturesOf(name), 1, 60)) {
        const stdin = new TextDecoder().decode(recording.bytes).trimEnd()
        const { code, stdout } = await millrace(['convert', '--from', name, '--to', 'events'], { stdin })
        const events = eventsOf(parser, recording.records).map((event) => JSON.stringify(event))
        expect({ code, events: stdout.trimEnd().split('\n') }, recording.name).toEqual({ code: 0, events })
      }
    })
  }
})
