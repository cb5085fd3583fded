import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { pictureOf, pictureWithout } from './scenario.ts'

/** Law 9. A declared loss that a recording carries fails in the parsers' own suite. */
describe('one scenario gives the same picture, less what the parser declares as lost', () => {
  for (const [name, parser] of Object.entries<Parser>(parsers)) {
    it(name, () => {
      const recording = fixturesOf(name).find((each) => each.name.startsWith(`${name}/scenario.`))
      if (recording === undefined) throw new Error(`fixtures/${name} has no scenario.`)
      const { losses } = parser
      const snapshot = fold(entriesOf(eventsOf(parser, recording.records)))
      expect(pictureOf(snapshot, losses)).toEqual(pictureWithout(losses))
    })
  }
})
