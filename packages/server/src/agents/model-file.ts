import { resolve } from 'node:path'
import { builtInTools, callAgentTool, defineAgent, type Model, type Tool } from '@millrace/agent'
import type { Agent } from '@millrace/core/agent'
import type { JsonObject } from '@millrace/core/json'
import { z } from 'zod'
import { expanded, variablesIn } from './expanded.ts'

/** The tools that a file can name. */
const tools = { ...builtInTools, [callAgentTool.id]: callAgentTool } as unknown as { readonly [id: string]: Tool }

const texts = z.record(z.string(), z.string().max(8192))
const toolName = z.enum(Object.keys(tools) as [string, ...string[]])

/** The fields of a file that only an agent with a model has. */
export const modelFields = {
  baseUrl: z.string().optional(),
  tools: z.array(toolName).optional(),
  options: z.record(z.string(), z.json()).optional(),
  maxSteps: z.number().int().min(1).max(1000).optional(),
}

/** A server of MCP: a program, or an address. */
export const mcpServers = z.record(
  z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/),
  z.union([
    z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: texts.optional() }),
    z.strictObject({ command: z.string().min(1), args: z.array(z.string()).optional(), env: texts.optional() }),
  ]),
)

type ModelFile = z.output<z.ZodObject<typeof modelFields>> & {
  readonly model: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly instructions?: string | undefined
  readonly env?: readonly string[] | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly mcp?: z.output<typeof mcpServers> | undefined
  readonly cwd?: string | undefined
}

/** What only programs have. */
const OF_PROGRAMS = ['dialect', 'format', 'framework', 'set', 'permissions', 'sandbox', 'limits'] as const

/** The agent of a file that names a model. */
export function modelAgentOf(
  file: ModelFile,
  name: string,
  folder: string,
): { readonly agent: Agent } | { readonly problem: string } {
  const stray = OF_PROGRAMS.find((field) => (file as { readonly [key: string]: unknown })[field] !== undefined)
  if (stray !== undefined) return { problem: `\`${stray}\` is for programs; an agent with a model has none.` }
  const { model, title = model, description, instructions, cwd, options, maxSteps, mcp } = file
  const read = modelIn(file)
  if ('problem' in read) return read
  try {
    const agent = defineAgent({
      name,
      title,
      model: read.model,
      tools: (file.tools ?? []).map((id) => tools[id] as Tool),
      cwd: cwd === 'folder' ? folder : cwdOf(cwd, folder),
      ...(description !== undefined && { description }),
      ...(instructions !== undefined && { instructions }),
      ...(options !== undefined && { options: options as JsonObject }),
      ...(maxSteps !== undefined && { maxSteps }),
      ...(mcp !== undefined && { mcp: withVariables(mcp) }),
    })
    return { agent }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

const cwdOf = (given = 'project', folder: string): string =>
  given === 'project' || given === 'thread' ? given : resolve(folder, given)

/** `env` lists what leaves the machine: the variables of the headers, and the one that holds the key. */
function modelIn(file: ModelFile): { readonly model: Model } | { readonly problem: string } {
  const { model, baseUrl, env = [], headers = {} } = file
  const [api = '', ...rest] = model.split(':')
  const used = variablesIn(headers)
  const refused = env.find((name) => !/^[A-Za-z_]\w*$/.test(name) || name.startsWith('MILLRACE_'))
  if (refused !== undefined) return { problem: `\`env\` cannot have ${refused}.` }
  const unlisted = used.find((name) => !env.includes(name))
  if (unlisted !== undefined) return { problem: `A header needs ${unlisted}, which \`env\` does not list.` }
  const [keyVariable, ...more] = env.filter((name) => !used.includes(name))
  if (more.length > 0) return { problem: `\`env\` names more than one key: ${[keyVariable, ...more].join(', ')}.` }
  const found: Model = {
    api: api as Model['api'],
    name: rest.join(':'),
    headers: expanded(headers),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyVariable !== undefined && { keyVariable }),
  }
  return { model: found }
}

function withVariables(servers: NonNullable<ModelFile['mcp']>) {
  const entries = Object.entries(servers).map(([name, server]) => {
    if ('url' in server) return [name, { url: server.url, headers: expanded(server.headers ?? {}) }] as const
    const { command, args = [], env = {} } = server
    return [name, { command, args, env: expanded(env) }] as const
  })
  return Object.fromEntries(entries)
}
