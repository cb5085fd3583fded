import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AgentFailure } from '@millrace/core/agent'
import type { Agent } from '../run/agent.ts'
import { readAgentFile } from './agent-file.ts'
import { createHttpAgent } from './http-agent.ts'
import { createProcessAgent, type ProcessOptions } from './process-agent.ts'

/** The agents of a folder, one per file. */
export interface AgentFolder {
  /** As the files are now: a file that has changed is read again. */
  agents(): readonly Agent[]
  /** Resolves when the modules of the folder are loaded. */
  ready(): Promise<void>
}

interface Loaded {
  /** Changes with the file. */
  readonly version: string
  agent: Agent
  readonly loading: Promise<void>
}

/** The forms of an agent NAME, in the order in which they win. */
const FORMS = [
  (name: string) => `${name}/agent.yaml`,
  (name: string) => `${name}/agent.ts`,
  (name: string) => `${name}.yaml`,
  (name: string) => `${name}.ts`,
]

const NAME = /^[a-z\d][a-z\d_-]{0,63}$/i
const MOST_AGENTS = 200

export function createAgentFolder(folder: string, options: Omit<ProcessOptions, 'folder'>): AgentFolder {
  const loaded = new Map<string, Loaded>()

  function agents(): readonly Agent[] {
    return namesIn(folder).flatMap((name) => {
      const path = FORMS.map((form) => resolve(folder, form(name))).find(isFile)
      return path === undefined ? [] : [agentOf(name, path)]
    })
  }

  function agentOf(name: string, path: string): Agent {
    const { mtimeMs, size } = statSync(path)
    const version = `${mtimeMs}-${size}`
    const current = loaded.get(path)
    if (current?.version === version) return current.agent
    const fresh = path.endsWith('.ts') ? moduleAgent(name, path, version) : fileAgent(name, path, version)
    loaded.set(path, fresh)
    return fresh.agent
  }

  function fileAgent(name: string, path: string, version: string): Loaded {
    const own = dirname(path)
    const read = readAgentFile(readFileSync(path, 'utf8'), name, own)
    const agentOfFile = (): Agent => {
      if ('problem' in read) {
        return brokenAgent(name, `${join(basename(resolve(folder)), relative(resolve(folder), path))}: ${read.problem}`)
      }
      if ('http' in read) return createHttpAgent(read.http, options)
      return 'agent' in read ? read.agent : createProcessAgent(read.spec, { ...options, folder: own })
    }
    return { version, agent: agentOfFile(), loading: Promise.resolve() }
  }

  return {
    agents,
    async ready() {
      agents()
      await Promise.all([...loaded.values()].map(({ loading }) => loading))
    },
  }
}

function moduleAgent(name: string, path: string, version: string): Loaded {
  // Another address for another version: a module is loaded once.
  const address = `${pathToFileURL(path).href}?version=${version}`
  const found: { -readonly [Key in keyof Loaded]: Loaded[Key] } = {
    version,
    agent: brokenAgent(name, `${path} is being loaded.`),
    loading: Promise.resolve(),
  }
  found.loading = import(address).then(
    (module: { readonly default?: unknown }) => {
      found.agent = isAgent(module.default)
        ? { ...module.default, name }
        : brokenAgent(name, `${path} has no default export with title, format, framing and run.`)
    },
    (error: Error) => {
      found.agent = brokenAgent(name, `${path} cannot be loaded: ${error.message.split('\n')[0]}`)
    },
  )
  return found
}

function isAgent(value: unknown): value is Agent {
  const { title, format, framing, run } = (value ?? {}) as { readonly [field: string]: unknown }
  return [title, format, framing].every((field) => typeof field === 'string') && typeof run === 'function'
}

/** An agent that is listed, and says why it cannot run. */
export function brokenAgent(name: string, sentence: string): Agent {
  return {
    name,
    title: name,
    kind: 'process',
    format: 'agent-lines',
    framing: 'json-lines',
    unavailable: () => sentence,
    trouble: () => ({ kind: 'file' }),
    // biome-ignore lint/correctness/useYield: it has nothing to say
    async *run() {
      throw new AgentFailure('agent-unavailable', sentence)
    },
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).map((entry) => entry.replace(/\.(?:yaml|ts)$/, ''))
    return [...new Set(names)]
      .filter((name) => NAME.test(name))
      .sort()
      .slice(0, MOST_AGENTS)
  } catch {
    return []
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export const hasAgentFolder = (folder: string): boolean =>
  statSync(join(folder), { throwIfNoEntry: false })?.isDirectory() ?? false
