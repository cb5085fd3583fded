import { HttpAgent } from '@ag-ui/client'

const { MILLRACE_URL = '', MILLRACE_TOKEN = '', RUN_ID = '' } = process.env
const authorization = `Bearer ${MILLRACE_TOKEN}`
const reader = new HttpAgent({
  url: `${MILLRACE_URL}/api/runs/${RUN_ID}/stream?wire=ag-ui`,
  // The client asks with a POST, for it has something to say; this one only reads.
  fetch: (url, { signal }) => fetch(url, { headers: { authorization }, signal: signal ?? null }),
})
await reader.runAgent()

for (const message of reader.messages) {
  const isMainAgent = message.role === 'assistant' && message.subagentRunId === undefined
  if (isMainAgent && typeof message.content === 'string') process.stdout.write(message.content)
}
