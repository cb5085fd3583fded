import {
  Agent,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { MODEL, PILOT_TASK, PROMPT, SAVED, scenario, TIDE, TODOS, WIND_FAILURE } from '../provider/scenario.ts'
import type { Provider } from '../provider/server.ts'
import { type Recording, record } from '../recording.ts'

setTracingDisabled(true)

const withPilotAsTool = scenario({
  todos: [[{ name: 'TodoWrite', input: { todos: TODOS } }]],
  pilot: [[{ name: 'pilot', input: { input: PILOT_TASK } }]],
})
const withHandoff = scenario({ pilot: [[{ name: 'transfer_to_pilot', input: {} }]] })

await record('openai-agents', 'recorded-responses.jsonl', withPilotAsTool, (recording, { provider }) =>
  play(recording, askingPilot(new OpenAIResponsesModel(clientAt(provider), MODEL))),
)

await record('openai-agents', 'recorded-chat.jsonl', withPilotAsTool, (recording, { provider }) =>
  play(recording, askingPilot(new OpenAIChatCompletionsModel(clientAt(provider), MODEL))),
)

await record('openai-agents', 'recorded-handoff.jsonl', withHandoff, (recording, { provider }) =>
  play(recording, handingOver(new OpenAIResponsesModel(clientAt(provider), MODEL))),
)

async function play(recording: Recording, agent: Agent): Promise<void> {
  const result = await run(agent, PROMPT, { stream: true })
  for await (const event of result) recording.add(event)
  await result.completed
}

function askingPilot(model: Model): Agent {
  const asTool = pilot(model).asTool({ toolName: 'pilot', toolDescription: 'Knows the waters.' })
  return new Agent({ name: 'Skipper', model, tools: [...tools(), asTool] })
}

function handingOver(model: Model): Agent {
  return new Agent({ name: 'Skipper', model, tools: tools(), handoffs: [pilot(model)] })
}

function pilot(model: Model): Agent {
  return new Agent({ name: 'pilot', instructions: 'You know the waters.', model })
}

function clientAt(provider: Provider): OpenAI {
  return new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'not-a-real-key', maxRetries: 0 })
}

function tools() {
  return [
    tool({
      name: 'get_tide',
      description: 'The times of high water.',
      parameters: z.object({ harbour: z.string(), days: z.number() }),
      execute: async () => TIDE,
    }),
    tool({
      name: 'get_wind',
      description: 'The wind at the harbour.',
      parameters: z.object({ harbour: z.string() }),
      execute: async (): Promise<string> => {
        throw new Error(WIND_FAILURE)
      },
      // Otherwise the model only gets a generic error.
      errorFunction: (_, error) => (error as Error).message,
    }),
    tool({
      name: 'TodoWrite',
      description: 'Writes the list of what is to do.',
      parameters: z.object({
        todos: z.array(z.object({ content: z.string(), status: z.string(), activeForm: z.string() })),
      }),
      execute: async () => SAVED,
    }),
  ]
}
