import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'

const recordings = fixturesOf('smolagents')

/** A folded run, without the numbers of its entries, which differ if it streams. */
function foldedOf(name: string): unknown {
  const recording = recordings.find((each) => each.name === `smolagents/${name}.jsonl`)
  const events = eventsOf(parsers.smolagents, recording?.records ?? [])
  const folded = fold(entriesOf(events))
  expect(folded.outcome).toBe('success')
  return JSON.parse(JSON.stringify(folded, (key, value) => (POSITION_FIELDS.has(key) ? undefined : value)))
}

const POSITION_FIELDS = new Set(['seqs', 'startedAt', 'endedAt'])

it.each(['toolcalling', 'code-agent', 'planning'])(
  'S2-10: folds a run of %s to the same chat events, streamed or not',
  (name) => {
    expect(foldedOf(`${name}-streamed`)).toEqual(foldedOf(`${name}-whole`))
  },
)
