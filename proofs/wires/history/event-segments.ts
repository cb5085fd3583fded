import type { JsonObject } from '@millrace/core/json'
import type { HistoryClient, HistoryFacts } from '@millrace/testkit/history-laws'
import { createEventStore } from '../readers/event-store.ts'

export const history: HistoryFacts = { createClient, continues: true }

/** A store of Events that is written from the protocol's text. */
function createClient(): HistoryClient {
  let store = createEventStore()
  return {
    load(messages) {
      store = createEventStore(messages)
    },
    // The wire sends the messages of people, too, and the outputs of their tools.
    ask() {},
    output() {},
    async read(groups, note) {
      for (const [index, chunks] of groups.entries()) {
        for (const chunk of chunks) store.receive(chunk)
        note(index)
      }
    },
    messages: () => store.events() as JsonObject[],
  }
}
