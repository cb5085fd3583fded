import { resolve } from 'node:path'
import type { Agent } from '@millrace/server/agent'
import { usageError } from './exit.ts'
import type { Texts } from './settings.ts'

export interface AgentSettings {
  /** The folder of agents. */
  readonly folder: string
  /** Whether a flag or the environment names the folder. */
  readonly isNamed: boolean
  /** `name=command`, or the name of an agent that only this machine would see, each. */
  readonly commands: readonly string[]
}

export function agentSettings(flags: Texts, environment: NodeJS.ProcessEnv): AgentSettings {
  const named = (flags.agents as string | undefined) ?? (environment.MILLRACE_AGENTS || undefined)
  return {
    folder: resolve(named ?? 'agents'),
    isNamed: named !== undefined,
    commands: (flags.agent as readonly string[] | undefined) ?? [],
  }
}

export interface ListOptions {
  readonly data: string
  /** Whether only this machine reaches the server. */
  readonly isLocal: boolean
  /** Agents that need no program. */
  readonly builtIn: readonly Agent[]
}

/**
 * The agents of a server: those of the folder, those of flags, the built-in ones, and last what this machine has. The first is
 * the default, which must not be a shell, or a program with a person's account, by accident; other machines see only what was
 * named.
 */
export async function listAgents(settings: AgentSettings, options: ListOptions): Promise<() => readonly Agent[]> {
  const tools = await import('@millrace/server/agents')
  if (settings.isNamed && !tools.hasAgentFolder(settings.folder)) {
    throw usageError(`There is no folder ${settings.folder} with agents.`)
  }
  const data = resolve(options.data)
  const threads = tools.threadsIn(data)
  const folder = tools.createAgentFolder(settings.folder, { threads, data })
  await folder.ready()
  const processOptions = { threads, data, folder: process.cwd() }
  const workshop = tools.createWorkshop({ threads })
  const models = tools.createModels(process.env)
  const namedOnly = settings.commands.filter((text) => !text.includes('='))
  const commanded = settings.commands.flatMap((text) => {
    if (namedOnly.includes(text)) return []
    const { name, argv } = commandOf(text, tools.splitCommand)
    return [tools.createProcessAgent({ ...tools.commandSpec(argv), name, title: name }, processOptions)]
  })
  const named = namedOnly.map((name) => {
    const spec = tools.presetSpec(name)
    const own = [workshop, ...models].find((agent) => agent.name === name)
    if (own !== undefined) return own
    if (spec !== undefined) return tools.createProcessAgent({ ...spec, name }, processOptions)
    throw usageError(`--agent must be a name and a command, not "${name}".`, EXAMPLE)
  })
  const presets = tools.createPresets(processOptions)
  return () => {
    const found = options.isLocal ? [workshop, ...models, ...presets()] : []
    const all = [...folder.agents(), ...commanded, ...options.builtIn, ...named, ...found]
    // The first of a name wins.
    return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index)
  }
}

const EXAMPLE = "Example: --agent 'survey=python3 agent.py', or the name of one of this machine: --agent workshop"

function commandOf(
  text: string,
  split: (command: string) => readonly string[] | undefined,
): { readonly name: string; readonly argv: readonly string[] } {
  const [, name, command] = /^([a-z\d][a-z\d_-]{0,63})=(.+)$/is.exec(text) ?? []
  const argv = command === undefined ? undefined : split(command)
  if (name !== undefined && argv !== undefined && argv.length > 0) return { name, argv }
  throw usageError(`--agent must be a name and a command, not "${text}".`, EXAMPLE)
}

const LOCAL = new Set(['127.0.0.1', 'localhost', '::1'])

export const isLocalHost = (host: string): boolean => LOCAL.has(host)
