import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'

const recordings = fixturesOf('event-segments')

/** A run, folded; its entries are others in each form, only segments have times, and only tool events have a line for people. */
function foldedOf(name: string): unknown {
  const recording = recordings.find((each) => each.name === `event-segments/${name}`)
  const folded = fold(entriesOf(eventsOf(parsers['event-segments'], recording?.records ?? [])))
  expect(folded.chatEvents).toHaveLength(2)
  return JSON.parse(JSON.stringify(folded, (key, value) => (PLACES.has(key) ? undefined : value)))
}

const PLACES = new Set(['seqs', 'startedAt', 'endedAt', 'raw'])

it('S3-46: folds a run to the same Events, by segments alone, by tool events alone, and by both together', () => {
  const segments = foldedOf('segments-only.jsonl')
  expect(foldedOf('events-only.jsonl')).toEqual(segments)
  expect(foldedOf('both-forms.sse')).toEqual(segments)
})
