import type { Wire } from '@millrace/core/wire'
import fc from 'fast-check'
import { expectNone } from './expectation.ts'
import { holdsAsync } from './property.ts'
import { publicVerdicts } from './public-half.ts'
import { describe, it, skip } from './runner.ts'
import { entriesOf } from './runs.ts'
import { wellFormed } from './streams.ts'
import type { WireFacts } from './wire-laws.ts'

/** Tests the public half of a wire over generated runs. A failure names the aspect, and the actual and expected value. */
export function generatedSuite(name: string, wire: Wire, { publicHalf, ...facts }: WireFacts, count: number): void {
  describe(`wire: ${name}`, () => {
    const promise = 'tells a client that knows only the protocol all that the fold shows of generated runs'
    if ('none' in publicHalf) {
      skip(`${promise}: ${publicHalf.none}`)
      return
    }
    it(promise, async () => {
      const differences = fc.asyncProperty(wellFormed, async (events) => {
        const problems: string[] = []
        const wireCase = { name, wire, facts: { publicHalf, ...facts }, entries: entriesOf(events) }
        for await (const verdict of publicVerdicts(wireCase)) if (verdict !== undefined) problems.push(verdict)
        expectNone(problems)
      })
      await holdsAsync(differences, count)
    })
  })
}
