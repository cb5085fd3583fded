import type { StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import { createStamp } from '@millrace/core/read/stamp'
import { recordOf } from '@millrace/core/source/source'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'

/** What `convert --to chat-events` prints. */
function exportOf(events: readonly StreamEvent[]): readonly ChatEvent[] {
  const stamp = createStamp()
  return fold(events.map((event) => stamp(event, 0))).chatEvents
}

/** The numbers of entries differ: an export has a streamed text in one piece. */
const withoutSeqs = (exported: readonly ChatEvent[]) =>
  JSON.parse(JSON.stringify(exported, (key, value) => (key === 'seqs' ? undefined : value)))

/** Recordings that are read back otherwise, and what of it differs. */
const knownFaults: { readonly [recording: string]: string } = {
  'claude-agent-sdk/subagent-details.jsonl': 'a text that a late patch empties comes back behind the text after it',
  'opencode/nested-subagents.jsonl': 'a status among records without times ends with its message',
}

describe('chat events that are read back', () => {
  for (const [name, fault] of Object.entries(knownFaults)) it.skip(`${name}: ${fault}`)

  for (const [name, parser] of Object.entries(parsers)) {
    it(`fold to what was exported of ${name}, ids and times included`, () => {
      for (const recording of fixturesOf(name).filter((each) => !(each.name in knownFaults))) {
        const exported = exportOf(eventsOf(parser, recording.records))
        const records = exported.map((chatEvent) => recordOf(JSON.stringify(chatEvent)))
        const again = exportOf(eventsOf(parsers['chat-events'], records))
        expect(withoutSeqs(again), recording.name).toEqual(withoutSeqs(exported))
      }
    })
  }
})
