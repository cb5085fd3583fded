import { deepAgentAt, deepAgentScript, plainAgentAt, question } from '../langchain-agents.ts'
import { scenario } from '../provider/scenario.ts'
import { record } from '../recording.ts'

// Chains repeat everything at every level: they are included in the short run and excluded from the long one.
await record('langchain-events', 'recorded-agent.jsonl', scenario({}), async (recording, { provider }) => {
  for await (const event of plainAgentAt(provider).streamEvents(question(), { version: 'v2' })) recording.add(event)
})

await record('langchain-events', 'recorded-deep-agent.jsonl', deepAgentScript, async (recording, { provider }) => {
  const stream = deepAgentAt(provider).streamEvents(question(), { version: 'v2' }, { excludeTypes: ['chain'] })
  for await (const event of stream) recording.add(event)
})
