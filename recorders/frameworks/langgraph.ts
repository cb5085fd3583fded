import { agentAt, agentScript, deepAgentAt, deepAgentScript, plainAgentAt, question } from '../langchain-agents.ts'
import { scenario, WIND_FAILURE } from '../provider/scenario.ts'
import { record } from '../recording.ts'

await record('langgraph', 'recorded-agent.jsonl', agentScript, async (recording, { provider }) => {
  const stream = await agentAt(provider).stream(question(), { streamMode: ['values', 'messages', 'updates', 'custom'] })
  for await (const chunk of stream) recording.add(chunk)
})

await record('langgraph', 'recorded-deep-agent.jsonl', deepAgentScript, async (recording, { provider }) => {
  const stream = await deepAgentAt(provider).stream(question(), {
    streamMode: ['messages', 'updates'],
    subgraphs: true,
  })
  for await (const chunk of stream) recording.add(chunk)
})

await record('langgraph', 'recorded-updates.jsonl', deepAgentScript, async (recording, { provider }) => {
  const stream = await deepAgentAt(provider).stream(question(), { streamMode: 'updates' })
  for await (const chunk of stream) recording.add(chunk)
})

await record('langgraph', 'recorded-tools.jsonl', scenario({}), async (recording, { provider }) => {
  const stream = await plainAgentAt(provider).stream(question(), { streamMode: ['messages', 'tools'] })
  for await (const chunk of stream) recording.add(chunk)
})

/** The protocol's stream holds a promise for each call; that of a failed call rejects even if it is not awaited. */
process.on('unhandledRejection', (error: Error) => {
  if (error.message !== WIND_FAILURE) throw error
})

/** The channels that a client would subscribe to; the others repeat the whole state at every step. */
const CHANNELS = ['messages', 'tools', 'lifecycle', 'updates', 'custom']

await record('langgraph', 'recorded-protocol.jsonl', deepAgentScript, async (recording, { provider }) => {
  for await (const event of await deepAgentAt(provider).streamEvents(question(), { version: 'v3' })) {
    if (CHANNELS.includes(event.method)) recording.add(event)
  }
})
