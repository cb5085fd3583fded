import { StreamError } from '../errors.ts'
import { agentLines } from './agent-lines.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { byShape } from './by-shape.ts'
import type { Framework } from './parser.ts'

/** The registry: one line per framework. The key is its `--from` and `format=` value and its fixture folder. */
export const frameworks = {
  'anthropic-messages': anthropicMessages,
  'agent-lines': agentLines,
  'bedrock-converse': bedrockConverse,
} as const satisfies { readonly [name: string]: Framework }

export type FrameworkName = keyof typeof frameworks

/** Names that people use for more than one shape of stream: the first records decide between the candidates. */
export const aliases = {
  claude: ['anthropic-messages', 'agent-lines'],
  deepagents: ['agent-lines'],
  langchain: ['agent-lines'],
} as const satisfies { readonly [alias: string]: readonly FrameworkName[] }

/** The framework of a registry name or an alias. Throws `unknown-format`. */
export function getParser(name: string): Framework {
  if (Object.hasOwn(frameworks, name)) return frameworks[name as FrameworkName]
  if (!Object.hasOwn(aliases, name)) throw new StreamError('unknown-format', name)
  return byShape(aliases[name as keyof typeof aliases].map((candidate) => frameworks[candidate]))
}
