import { HttpAgent, type Message } from '@ag-ui/client'
import type { JsonObject } from '@millrace/core/json'
import { sseFrame } from '@millrace/core/wire'
import type { HistoryClient, HistoryFacts } from '@millrace/testkit/history-laws'
import { HttpAgent as HttpAgent59 } from 'ag-ui-0.0.59'

export const history: HistoryFacts = { createClient, continues: false }

/** The protocol's own client. It is another one for each response: one that was asked would refuse to go on without an answer. */
function agentFor(Agent: typeof HttpAgent, body: string, messages: readonly Message[]): HttpAgent {
  const headers = { 'content-type': 'text/event-stream' }
  return new Agent({
    url: 'http://127.0.0.1/',
    threadId: 'thread',
    initialMessages: [...messages],
    fetch: async () => new Response(body, { headers }),
  })
}

function createClient(profile: string | undefined): HistoryClient {
  const Agent = profile === '0' ? (HttpAgent59 as unknown as typeof HttpAgent) : HttpAgent
  let held: readonly Message[] = []
  return {
    load(messages) {
      held = messages as unknown as Message[]
    },
    ask(id, text) {
      held = [...held, { id, role: 'user', content: text }]
    },
    output({ runId, outputs: given = [] }, callId, content) {
      const callRun = given.find((each) => each.callId === callId)?.callRun ?? runId
      held = [...held, { id: `${runId}/result/${callId}`, role: 'tool', toolCallId: `${callRun}/${callId}`, content }]
    },
    async read(groups, note) {
      const chunks = groups.flatMap((group, index) => group.map((chunk) => ({ chunk, index })))
      const agent = agentFor(Agent, chunks.map(({ chunk }) => sseFrame(chunk)).join(''), held)
      let at = 0
      let noted = 0
      const noteBefore = (index: number) => {
        while (noted < index) note(noted++)
      }
      await agent.runAgent(
        {},
        {
          // Called before the event is applied: all events before it are drawn.
          onEvent({ messages }) {
            held = messages
            noteBefore(chunks[at++]?.index ?? groups.length)
          },
        },
      )
      held = agent.messages
      noteBefore(groups.length)
    },
    messages: () => held as unknown as JsonObject[],
  }
}
