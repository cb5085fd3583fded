import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'

const recordings = fixturesOf('event-segments')

/** A folded run, without what differs by form: numbers of entries, times, and text for people. */
function foldedOf(name: string): unknown {
  const recording = recordings.find((each) => each.name === `event-segments/${name}`)
  const folded = fold(entriesOf(eventsOf(parsers['event-segments'], recording?.records ?? [])))
  expect(folded.chatEvents).toHaveLength(2)
  return JSON.parse(JSON.stringify(folded, (key, value) => (POSITION_FIELDS.has(key) ? undefined : value)))
}

const POSITION_FIELDS = new Set(['seqs', 'startedAt', 'endedAt', 'raw'])

it('S3-46: folds a run to the same Events, by segments alone, by tool events alone, and by both together', () => {
  const segments = foldedOf('segments-only.jsonl')
  expect(foldedOf('events-only.jsonl')).toEqual(segments)
  expect(foldedOf('both-forms.sse')).toEqual(segments)
})
