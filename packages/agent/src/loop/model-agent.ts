import type { Agent } from '@millrace/core/agent'
import type { JsonObject } from '@millrace/core/json'
import type { McpServers } from '../mcp/mcp-tools.ts'
import { type Model, missingKey, missingKeyOf, resolveModel } from '../model/model.ts'
import { type Named, nameOf } from '../named.ts'
import type { Tool } from '../tool.ts'
import { runLoop } from './loop.ts'

/** An agent that is a model with tools. */
export interface ModelAgent extends Named {
  /** `anthropic:NAME`, `openai:NAME`, `openai-chat:NAME`, `gemini:NAME`, or where else it is. */
  readonly model: string | Model
  readonly instructions?: string
  readonly tools?: readonly Tool[]
  /** Servers whose tools it has, too. They are connected for each run. */
  readonly mcp?: McpServers
  /** How often the model is asked in one run. Default 50. */
  readonly maxSteps?: number
  /** Fields of the provider's API, such as `max_tokens`: they go into every request, in place of ours. */
  readonly options?: JsonObject
}

const MOST_STEPS = 50

/** What a model is shown as it is. Any other file is named in the text. */
const FILES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain', 'text/markdown']

/** Throws a `TypeError` with a sentence if the model cannot be asked, or two tools have one name. */
export function modelAgent(agent: ModelAgent): Agent {
  const { title, name = nameOf(title), description, cwd, tools = [], maxSteps = MOST_STEPS, options = {} } = agent
  const model = resolveModel(agent.model, process.env)
  const twice = tools.find(({ id }, index) => tools.findIndex((other) => other.id === id) !== index)
  if (twice !== undefined) throw new TypeError(`Two tools are called "${twice.id}".`)
  const loop = { model, instructions: agent.instructions, tools, mcp: agent.mcp, maxSteps, options }
  return {
    name,
    title,
    ...(description !== undefined && { description }),
    ...(cwd !== undefined && { cwd }),
    kind: 'model',
    can: { steer: true, clientTools: true, recover: true, edit: true, files: FILES, ...agent.can },
    format: model.api.format,
    framing: 'sse',
    unavailable() {
      const variable = missingKeyOf(model, process.env)
      return agent.unavailable?.() ?? (variable === undefined ? undefined : missingKey(variable))
    },
    trouble() {
      const variable = missingKeyOf(model, process.env)
      return variable === undefined ? undefined : { kind: 'key', variables: [variable] }
    },
    run: (request, host) => runLoop(loop, request, host),
  }
}
