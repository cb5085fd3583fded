import { ChatAnthropic } from '@langchain/anthropic'
import { createDeepAgent } from 'deepagents'
import { createAgent, createMiddleware, ToolMessage, todoListMiddleware, tool } from 'langchain'
import { z } from 'zod'
import { MODEL, PILOT_TASK, PROMPT, scenario, TIDE, TODOS, WIND_FAILURE } from './provider/scenario.ts'
import type { Provider } from './provider/server.ts'

const writeTodos = {
  name: 'write_todos',
  input: { todos: TODOS.map(({ content, status }) => ({ content, status })) },
}

/** Both agents have todos by the same middleware; only a deep agent has subagents. */
export const agentScript = scenario({ todos: [[writeTodos]] })
export const deepAgentScript = scenario({
  todos: [[writeTodos]],
  pilot: [[{ name: 'task', input: { description: PILOT_TASK, subagent_type: 'pilot' } }]],
})

export const question = () => ({ messages: [{ role: 'user' as const, content: PROMPT }] })

export const plainAgentAt = (provider: Provider) => createAgent({ model: modelAt(provider), tools: tools() })

export const agentAt = (provider: Provider) =>
  createAgent({ model: modelAt(provider), tools: tools(), middleware: [todoList] })

export const deepAgentAt = (provider: Provider) =>
  createDeepAgent({
    model: modelAt(provider),
    tools: tools(),
    middleware: [todoList, failuresAreResults],
    subagents: [{ name: 'pilot', description: 'Knows the waters.', systemPrompt: 'You know the waters.', tools: [] }],
  })

/** With a short prompt: the default one would be repeated in every record that quotes the system message. */
const todoList = todoListMiddleware({ systemPrompt: 'Keep a list of what is to do.' })

/** Without this, a deep agent ends with the first tool that throws. */
const failuresAreResults = createMiddleware({
  name: 'FailuresAreResults',
  wrapToolCall: async (request, handler) => {
    try {
      return await handler(request)
    } catch (error) {
      const { id = '', name } = request.toolCall
      return new ToolMessage({ content: (error as Error).message, tool_call_id: id, name, status: 'error' })
    }
  },
})

const modelAt = (provider: Provider) =>
  new ChatAnthropic({
    model: MODEL,
    apiKey: 'not-a-real-key',
    anthropicApiUrl: provider.url,
    maxTokens: 1000,
    maxRetries: 0,
  })

const tools = () => [
  tool(() => TIDE, {
    name: 'get_tide',
    description: 'The times of high water.',
    schema: z.object({ harbour: z.string(), days: z.number() }),
  }),
  tool(
    (): string => {
      throw new Error(WIND_FAILURE)
    },
    { name: 'get_wind', description: 'The wind at the harbour.', schema: z.object({ harbour: z.string() }) },
  ),
]
