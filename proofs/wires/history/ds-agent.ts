import type { JsonObject } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { HistoryClient, HistoryFacts } from '@millrace/testkit/history-laws'
import { createDsAgentClient } from '../readers/ds-agent.ts'
import type { DsAgentMessage } from '../readers/ds-agent-shape.ts'

export const history: HistoryFacts = { createClient, continues: true }

/** The client that is written from the protocol's text. It knows observations by their newer name only. */
function createClient(profile: string | undefined): HistoryClient {
  const isCumulative = profile !== undefined
  let client = createDsAgentClient(isCumulative)
  return {
    load(messages) {
      client = createDsAgentClient(isCumulative, messages.map(renamed) as unknown as DsAgentMessage[])
    },
    // The wire sends the messages of people, too, and the outputs of their tools.
    ask() {},
    output() {},
    async read(groups, note) {
      // The ids of streams are those of one run.
      client = createDsAgentClient(isCumulative, client.messages())
      for (const [index, chunks] of groups.entries()) {
        for (const chunk of chunks) client.receive(renamed(chunk))
        note(index)
      }
    },
    messages: () => client.messages() as unknown as JsonObject[],
  }
}

function renamed<Message extends Chunk | JsonObject>(message: Message): Message {
  const metadata = message.metadata as JsonObject
  if (metadata.message_type !== 'execution_logs') return message
  return { ...message, metadata: { ...metadata, message_type: 'observation' } }
}
