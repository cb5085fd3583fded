import { fold } from '@millrace/core/fold'
import { frameworks } from '@millrace/core/parse'
import type { Framework } from '@millrace/core/parse/parser'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { pictureOf, pictureWithout } from './scenario.ts'

/** Law 9. What is declared as lost and is there all the same fails in the parsers' own suite. */
describe('one scenario gives the same picture, less what the framework declares as lost', () => {
  for (const [name, framework] of Object.entries<Framework>(frameworks)) {
    it(name, () => {
      const recording = fixturesOf(name).find((each) => each.name.startsWith(`${name}/scenario.`))
      if (recording === undefined) throw new Error(`fixtures/${name} has no scenario.`)
      const { losses } = framework
      const snapshot = fold(entriesOf(eventsOf(framework, recording.records)))
      expect(pictureOf(snapshot, losses)).toEqual(pictureWithout(losses))
    })
  }
})
