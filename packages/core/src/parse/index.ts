import { StreamError } from '../errors.ts'
import { a2a } from './a2a.ts'
import { acp } from './acp.ts'
import { agUi } from './ag-ui.ts'
import { agentEvent } from './agent-event.ts'
import { agentLines } from './agent-lines.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { byShape } from './by-shape.ts'
import { chatEvents } from './chat-events.ts'
import { claudeAgentSdk } from './claude-agent-sdk.ts'
import { codexAppServer } from './codex-app-server.ts'
import { codexExec } from './codex-exec.ts'
import { cohere } from './cohere.ts'
import { eventSegments } from './event-segments.ts'
import { gemini } from './gemini.ts'
import { geminiCli } from './gemini-cli.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { langchainEvents } from './langchain-events.ts'
import { langgraph } from './langgraph.ts'
import { openaiAgents } from './openai-agents.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { opencode } from './opencode.ts'
import type { Parser } from './parser.ts'
import { smolagents } from './smolagents.ts'
import { threadEvents } from './thread-events.ts'

/**
 * The registry: one line per format. The key is its `--from` and `format=` value and its fixture folder. Providers come
 * first, then frameworks, commands and protocols, and Millrace's own formats.
 */
export const parsers = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  'gemini-interactions': geminiInteractions,
  'bedrock-converse': bedrockConverse,
  cohere,
  'claude-agent-sdk': claudeAgentSdk,
  'openai-agents': openaiAgents,
  langgraph,
  'langchain-events': langchainEvents,
  smolagents,
  'agent-lines': agentLines,
  'codex-exec': codexExec,
  'codex-app-server': codexAppServer,
  'gemini-cli': geminiCli,
  opencode,
  acp,
  a2a,
  'ag-ui': agUi,
  'ai-sdk': aiSdk,
  'agent-event': agentEvent,
  'event-segments': eventSegments,
  'thread-events': threadEvents,
  'chat-events': chatEvents,
} as const satisfies { readonly [name: string]: Parser }

export type FormatName = keyof typeof parsers

/** Names that people use for more than one shape of stream: the first records decide between the candidates. */
export const aliases = {
  any: Object.keys(parsers) as readonly FormatName[],
  'ai-sdk-ui': ['ai-sdk'],
  claude: ['anthropic-messages', 'agent-lines', 'claude-agent-sdk'],
  'claude-code': ['claude-agent-sdk'],
  deepagents: ['langgraph', 'agent-lines'],
  langchain: ['langgraph', 'langchain-events', 'agent-lines'],
} as const satisfies { readonly [alias: string]: readonly FormatName[] }

const registered = new Map<string, Parser>()

/**
 * Adds a parser to this process, under a new name or in place of an existing parser. The returned function removes it.
 * Runs that were stored under the name can be read only in a process that registers it.
 */
export function registerParser(name: string, parser: Parser): () => void {
  registered.set(name, parser)
  return () => {
    if (registered.get(name) === parser) registered.delete(name)
  }
}

/** The registry, with the parsers that were added to this process. */
export function allParsers(): { readonly [name: string]: Parser } {
  return { ...parsers, ...Object.fromEntries(registered) }
}

/** The parser of a registry name or an alias. Throws `unknown-format`. */
export function getParser(name: string): Parser {
  const added = registered.get(name)
  if (added !== undefined) return added
  if (Object.hasOwn(parsers, name)) return parsers[name as FormatName]
  if (!Object.hasOwn(aliases, name)) throw new StreamError('unknown-format', name)
  return byShape(aliases[name as keyof typeof aliases].map((candidate) => parsers[candidate]))
}
