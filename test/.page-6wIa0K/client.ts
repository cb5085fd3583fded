import { HttpAgent, type Message } from '@ag-ui/client'

const { MILLRACE_URL = '', MILLRACE_TOKEN = '', THREAD_ID = '' } = process.env
const headers = { authorization: `Bearer ${MILLRACE_TOKEN}` }
const loaded = await fetch(`${MILLRACE_URL}/api/threads/${THREAD_ID}?wire=ag-ui`, { headers })
const thread = (await loaded.json()) as { messages: Message[]; runs: { id: string; state: string; agent?: string }[] }
const live = thread.runs.find(({ state }) => state !== 'ended')
const agent = new HttpAgent({
  url: `${MILLRACE_URL}/api/ag-ui/${live?.agent ?? ''}`,
  headers,
  threadId: THREAD_ID,
  initialMessages: thread.messages,
})
// A run that exists is not started again: it is read from its first chunk.
if (live !== undefined) await agent.runAgent({ runId: live.id })

for (const message of agent.messages) {
  const isMainAgent = message.role === 'assistant' && message.subagentRunId === undefined
  if (isMainAgent && typeof message.content === 'string') process.stdout.write(message.content)
}
