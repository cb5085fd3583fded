import { toAnthropicMessages, toGemini, toOpenAIChat, toOpenAIResponses, withFiles } from '@millrace/core/messages'
import { type OfferedTool, systemOf, type Turn } from './turn.ts'

/** The bodies of the requests, one function per API. The types of the vendors' own packages check them. */

/** Anthropic wants a limit. It is one that every current model accepts. */
const MOST_TOKENS = 32_000

export async function anthropicBody(turn: Turn) {
  const { model, chatEvents, tools, load } = turn
  const { messages, system, container } = await withFiles(toAnthropicMessages(chatEvents, { model }), load)
  const instructions = systemOf(turn, system)
  return {
    model,
    max_tokens: MOST_TOKENS,
    stream: true as const,
    messages,
    ...(instructions !== undefined && { system: instructions }),
    ...(container !== undefined && { container }),
    ...(tools.length > 0 && { tools: tools.map(anthropicTool) }),
  }
}

const anthropicTool = ({ name, description, parameters }: OfferedTool) => ({
  name,
  description,
  input_schema: { ...parameters, type: 'object' as const },
})

/** Models that do not think refuse to be asked for what they thought. */
const WITHOUT_THOUGHTS = /^(?:gpt-3|gpt-4|chatgpt|gpt-5(?:\.\d+)?-chat)/

export async function responsesBody(turn: Turn) {
  const { model, chatEvents, tools, load } = turn
  const { messages, system } = await withFiles(toOpenAIResponses(chatEvents, { model }), load)
  const instructions = systemOf(turn, system)
  return {
    model,
    stream: true as const,
    // The log has the conversation; without the provider's copy, thoughts go back in their encrypted form.
    store: false,
    input: messages,
    ...(instructions !== undefined && { instructions }),
    ...(!WITHOUT_THOUGHTS.test(model) && { include: ['reasoning.encrypted_content' as const] }),
    ...(tools.length > 0 && { tools: tools.map(responsesTool) }),
  }
}

const responsesTool = ({ name, description, parameters }: OfferedTool) => ({
  type: 'function' as const,
  name,
  description,
  parameters,
  strict: false,
})

export async function chatBody(turn: Turn) {
  const { model, vendor, chatEvents, tools, load } = turn
  const options = { model, ...(vendor !== undefined && { vendor }) }
  const { messages, system } = await withFiles(toOpenAIChat(chatEvents, options), load)
  const instructions = systemOf(turn, system)
  const first = instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }]
  return {
    model,
    stream: true as const,
    stream_options: { include_usage: true },
    messages: [...first, ...messages],
    ...(tools.length > 0 && { tools: tools.map(chatTool) }),
  }
}

const chatTool = ({ name, description, parameters }: OfferedTool) => ({
  type: 'function' as const,
  function: { name, description, parameters },
})

export async function geminiBody(turn: Turn) {
  const { model, chatEvents, tools, load } = turn
  const { messages, system } = await withFiles(toGemini(chatEvents, { model }), load)
  const instructions = systemOf(turn, system)
  return {
    contents: messages,
    ...(instructions !== undefined && { systemInstruction: { parts: [{ text: instructions }] } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(geminiTool) }] }),
  }
}

const geminiTool = ({ name, description, parameters }: OfferedTool) => ({
  name,
  description,
  parametersJsonSchema: parameters,
})
