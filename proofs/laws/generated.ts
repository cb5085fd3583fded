import { isDeepStrictEqual } from 'node:util'
import type { StreamEvent } from '@millrace/core/events'
import { balance } from '@millrace/core/normalize/balance'
import { illFormed } from '@millrace/testkit/any-event'
import { lostBytes, normalized, taggedStreams } from '@millrace/testkit/conserve'
import { balanced, runPasses } from '@millrace/testkit/runs'
import { sample } from '@millrace/testkit/seeded'
import { wellFormed } from '@millrace/testkit/streams'
import { problemIn } from '@millrace/testkit/verdicts'
import fc, { type Arbitrary } from 'fast-check'
import { type Finding, measure } from './measure.ts'

interface Stream {
  readonly name: string
  readonly events: readonly StreamEvent[]
}

/** What `normalize` promises for any stream at all. */
export async function generatedFindings(count: number, seed: number): Promise<readonly Finding[]> {
  const well = streams(wellFormed, count, seed)
  const ill = streams(illFormed, count, seed + 1)
  const tagged = streams(taggedStreams, count, seed + 2)
  return [
    await measure('ill-formed streams', 'all passes make them well-formed', ill, ({ events }) => [
      problemIn(normalized(events)),
    ]),
    await measure('ill-formed streams', 'what leaves balance, balance leaves as it is', ill, ({ events }) => {
      const once = balanced(events)
      return [isDeepStrictEqual(runPasses([balance], once), once) ? undefined : 'it changed its own output']
    }),
    await measure('well-formed streams', 'balance leaves them as they are', well, ({ events }) => [
      problemIn(events),
      isDeepStrictEqual(balanced(events), events) ? undefined : 'it changed a well-formed stream',
    ]),
    await measure('well-formed streams', 'balance closes them wherever they are cut', well, function* ({ events }) {
      for (const k of sample([...events.keys()], 32, seed))
        yield problemIn(balanced(events.slice(0, k)), `cut after ${k} events`)
    }),
    await measure('texts with tags and code', 'text + thinking + tags = input', tagged, ({ events }) => [
      lostBytes(events),
    ]),
  ]
}

function streams(arbitrary: Arbitrary<StreamEvent[]>, count: number, seed: number): readonly Stream[] {
  return fc.sample(arbitrary, { numRuns: count, seed }).map((events, index) => ({
    name: `stream ${index} of seed ${seed}`,
    events,
  }))
}
