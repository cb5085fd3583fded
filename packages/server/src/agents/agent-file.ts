import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Agent } from '@millrace/core/agent'
import { aliases, parsers } from '@millrace/core/parse'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { dialects } from './dialects/index.ts'
import { expanded } from './expanded.ts'
import { problemIn } from './file-problem.ts'
import { endpointFields, httpSpecOf } from './http-file.ts'
import type { HttpSpec } from './http-spec.ts'
import { defaultLimits, type ProcessLimits } from './limits.ts'
import { mcpServers, modelAgentOf, modelFields } from './model-file.ts'
import { presetSpec, presets } from './presets.ts'
import type { ProcessSpec } from './spec.ts'
import { splitCommand } from './split-command.ts'

export type ReadFile =
  | { readonly spec: ProcessSpec }
  | { readonly http: HttpSpec }
  | { readonly agent: Agent }
  | { readonly problem: string }

/** No agent needs a longer description of itself. */
const LARGEST = 256 * 1024

const command = z.union([
  z.array(z.string().min(1)).min(1),
  z.string().transform((text, context) => {
    const words = splitCommand(text)
    if (words !== undefined && words.length > 0) return words
    context.addIssue({ code: 'custom', message: 'is not a command' })
    return z.NEVER
  }),
])

const names = (keys: object) => Object.keys(keys) as [string, ...string[]]

const formatName = z.enum(names({ ...parsers, ...aliases }))

const sized = (units: { readonly [unit: string]: number }) =>
  z.union([z.number().positive(), z.string()]).transform((value, context) => {
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(String(value)) ?? []
    const factor = units[unit.toLowerCase()]
    if (number !== undefined && factor !== undefined) return Number(number) * factor
    context.addIssue({ code: 'custom', message: `must be a number with one of ${Object.keys(units).join(' ')}` })
    return z.NEVER
  })
const time = sized({ s: 1000, m: 60_000, h: 3_600_000 })
const size = sized({ k: 1024, m: 1024 ** 2, g: 1024 ** 3 })

const shape = z.strictObject({
  title: z.string().max(200).optional(),
  name: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  run: command.optional(),
  acp: command.optional(),
  preset: z.enum(names(presets)).optional(),
  url: z.string().optional(),
  model: z.string().optional(),
  dialect: z.enum(names(dialects)).optional(),
  format: formatName.optional(),
  framework: formatName.optional(),
  env: z.array(z.string()).optional(),
  set: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  cwd: z.string().optional(),
  permissions: z.enum(['read', 'ask', 'edits', 'all']).optional(),
  instructions: z.string().optional(),
  sandbox: z.enum(['none', 'bwrap', 'bwrap+net']).optional(),
  limits: z
    .strictObject({ time, idle: time, memory: size, output: size, line: size, runs: z.number().int().positive() })
    .partial()
    .optional(),
  ...endpointFields,
  ...modelFields,
  mcp: mcpServers.optional(),
})

type AgentFile = z.output<typeof shape>

/** Reads the description of an agent. `folder` is the agent's own; a problem is one sentence with its line. */
export function readAgentFile(text: string, name: string, folder: string): ReadFile {
  if (text.length > LARGEST) return { problem: 'The file is too large to describe an agent.' }
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: false })
    const [error] = document.errors
    if (error !== undefined) return { problem: `Line ${error.linePos?.[0].line ?? 1}: ${firstLine(error.message)}` }
    const read = shape.safeParse(document.toJS({ maxAliasCount: 50 }))
    if (read.success) return specOf(titled(read.data), name, folder)
    return { problem: problemIn(document, lines, read.error.issues) }
  } catch (error) {
    return { problem: `The file cannot be read: ${firstLine(String((error as Error).message))}` }
  }
}

const firstLine = (text: string) => text.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '.') ?? ''

/** A file may call its title a name. The agent's own name is that of its file. */
function titled({ name: title, ...file }: AgentFile): AgentFile {
  return title === undefined ? file : { title, ...file }
}

const KINDS = ['run', 'acp', 'preset', 'url'] as const

function specOf(file: AgentFile, name: string, folder: string): ReadFile {
  const kinds = KINDS.filter((kind) => file[kind] !== undefined)
  if (kinds.length > 1) return { problem: `It has ${kinds.join(' and ')}, and only one of them can be the agent.` }
  if (kinds.length === 0 && file.model === undefined) return { problem: 'It has none of run, acp, preset, url, model.' }
  const stray = strayIn(file)
  if (stray !== undefined) return { problem: stray }
  if (kinds.length === 0) return modelAgentOf({ ...file, model: file.model ?? '' }, name, folder)
  if (file.url !== undefined) return httpSpecOf({ ...file, url: file.url }, name)
  if (file.mcp !== undefined) return { problem: 'Servers of MCP are not passed on yet; remove `mcp`.' }
  const base = baseOf(file, folder)
  if (base === undefined) return { problem: 'Its program is missing.' }
  const format = file.format ?? file.framework
  if (base.dialect === 'text' && format === undefined)
    return { problem: 'A program that prints text must name its format.' }
  return {
    spec: {
      ...base,
      name,
      title: file.title ?? base.title,
      env: [...base.env, ...(file.env ?? [])],
      needs: (file.env ?? []).filter((variable) => !variable.endsWith('*')),
      set: { ...base.set, ...expanded(file.set ?? {}) },
      limits: { ...base.limits, ...(file.limits as Partial<ProcessLimits> | undefined) },
      cwd: cwdOf(file.cwd, base.cwd, folder),
      ...(file.description !== undefined && { description: file.description }),
      ...(format !== undefined && { format }),
      ...(file.permissions !== undefined && { permissions: file.permissions }),
      ...(file.sandbox !== undefined && { sandbox: file.sandbox }),
      ...(file.instructions !== undefined && { instructions: file.instructions }),
    },
  }
}

/** Why a field is not for this kind of agent. Headers are sent to a service and to a model. */
function strayIn(file: AgentFile): string | undefined {
  const isService = file.url !== undefined
  const isModel = !isService && KINDS.every((kind) => file[kind] === undefined)
  const ofModel = (Object.keys(modelFields) as (keyof AgentFile)[]).find((field) => file[field] !== undefined)
  if (!isModel && ofModel !== undefined) return `\`${ofModel}\` is for agents with a \`model\` alone.`
  const others = (Object.keys(endpointFields) as (keyof AgentFile)[]).filter(
    (field) => !isService && !(isModel && field === 'headers'),
  )
  const ofService = others.find((field) => file[field] !== undefined)
  return ofService === undefined ? undefined : `\`${ofService}\` is for agents with a \`url\`.`
}

function baseOf(file: AgentFile, folder: string): Omit<ProcessSpec, 'name'> | undefined {
  if (file.preset !== undefined) return presetSpec(file.preset, file.model)
  const words = file.run ?? file.acp
  if (words === undefined) return undefined
  const dialect = (file.dialect ?? (file.acp === undefined ? 'lines' : 'acp')) as ProcessSpec['dialect']
  const argv = words.map((word, index) => (index > 0 ? inFolder(word, folder) : word))
  return { ...commandSpec(argv), dialect, cwd: folder, ...(file.model !== undefined && { model: file.model }) }
}

/** A program without a file. */
export function commandSpec(argv: readonly string[]): Omit<ProcessSpec, 'name'> {
  const fields = { env: [], set: {}, cwd: 'project', limits: defaultLimits }
  return { title: argv.join(' '), command: argv, dialect: 'lines', sandbox: 'none', permissions: 'ask', ...fields }
}

/** An argument that names a file of the agent's own folder: the program may work in another one. */
function inFolder(word: string, folder: string): string {
  const path = join(folder, word)
  return !word.startsWith('-') && /[./]/.test(word) && existsSync(path) ? path : word
}

function cwdOf(given: string | undefined, base: string, folder: string): string {
  if (given === undefined) return base
  if (given === 'folder') return folder
  return given === 'project' || given === 'thread' ? given : resolve(folder, given)
}
