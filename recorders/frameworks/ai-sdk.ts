import { createAnthropic } from '@ai-sdk/anthropic'
import { isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'
import {
  brokenOff,
  MODEL,
  PILOT_TASK,
  PROMPT,
  SAVED,
  scenario,
  TIDE,
  TODOS,
  WIND_FAILURE,
} from '../provider/scenario.ts'
import type { Provider } from '../provider/server.ts'
import { record } from '../recording.ts'

/** Set because the framework warns about a model whose limit it does not know. */
const MOST_TOKENS = 1000

const script = scenario({
  todos: [[{ name: 'TodoWrite', input: { todos: TODOS } }]],
  pilot: [[{ name: 'pilot', input: { task: PILOT_TASK } }]],
})

for (const [file, played] of [
  ['recorded-ui-messages.jsonl', script],
  ['recorded-broken-off.jsonl', brokenOff],
] as const) {
  await record('ai-sdk', file, played, async (recording, { provider }) => {
    const stream = resultAt(provider).toUIMessageStream({ sendReasoning: true, onError: messageOf })
    for await (const chunk of stream) recording.add(chunk)
  })
}

await record('ai-sdk', 'recorded-full-stream.jsonl', script, async (recording, { provider }) => {
  for await (const part of resultAt(provider).fullStream) recording.add(part)
})

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function modelAt(provider: Provider) {
  return createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: 'not-a-real-key' })(MODEL)
}

function resultAt(provider: Provider) {
  return streamText({
    model: modelAt(provider),
    prompt: PROMPT,
    stopWhen: isStepCount(10),
    maxRetries: 0,
    // Otherwise it prints the error, which the stream contains anyway.
    onError: () => undefined,
    maxOutputTokens: MOST_TOKENS,
    tools: {
      get_tide: tool({
        description: 'The times of high water.',
        inputSchema: z.object({ harbour: z.string(), days: z.number() }),
        execute: async () => TIDE,
      }),
      get_wind: tool({
        description: 'The wind at the harbour.',
        inputSchema: z.object({ harbour: z.string() }),
        execute: async (): Promise<string> => {
          throw new Error(WIND_FAILURE)
        },
      }),
      TodoWrite: tool({
        description: 'Writes the list of what is to do.',
        inputSchema: z.object({
          todos: z.array(z.object({ content: z.string(), status: z.string(), activeForm: z.string() })),
        }),
        execute: async () => SAVED,
      }),
      pilot: tool({
        description: 'Knows the waters.',
        inputSchema: z.object({ task: z.string() }),
        // A subagent in this framework: a tool that streams the inner model's text as preliminary results.
        async *execute({ task }) {
          let text = ''
          for await (const delta of streamText({ model: modelAt(provider), prompt: task, maxOutputTokens: MOST_TOKENS })
            .textStream) {
            text += delta
            yield text
          }
        },
      }),
    },
  })
}
