import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'
import type { JudgedRequest } from '@millrace/testkit/request-laws'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Target = JudgedRequest['request']['target']

/** The type that the provider's own library demands of a message: its name, its module, and what more the API takes. */
const types: { readonly [Name in Target]: readonly [type: string, from: string, more?: string] } = {
  anthropic: ['BetaMessageParam', '@anthropic-ai/sdk/resources/beta/messages'],
  'openai-chat': ['ChatCompletionMessageParam', 'openai/resources/chat/completions'],
  // Encrypted reasoning is sent alone if its id is too long, as the AI SDK does.
  'openai-responses': [
    'ResponseInputItem',
    'openai/resources/responses/responses',
    "Omit<ResponseReasoningItem, 'id'>",
  ],
  gemini: ['Plain<Content>', '@google/genai'],
  'ai-sdk': ['ModelMessage', 'ai'],
}

/** Texts of these fields choose a type; any other text is as good as another. */
const CHOOSING = new Set(['type', 'role', 'status', 'format', 'detail', 'phase', 'mode', 'execution', 'media_type'])

/** Whatever a model, a tool or the provider itself put there: it goes back as it came. */
const GIVEN = new Set([
  ...['input', 'args', 'response', 'providerOptions', 'caller', 'citations', 'annotations', 'extra_content'],
  ...['action', 'operation', 'outputs', 'results', 'tools', 'error', 'pending_safety_checks'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'],
])

/** The distinct shapes of messages that were made, each with the first run that made it. */
export interface RequestTypes {
  add(run: string, judged: JudgedRequest): void
  readonly targets: readonly Target[]
  /** How many distinct messages there are for a target. */
  count(target: Target): number
  /** The messages that the type of the provider's library does not accept, each with the sentence of the compiler. */
  refused(target: Target): readonly string[]
}

export function createRequestTypes(): RequestTypes {
  const targets = Object.keys(types) as readonly Target[]
  const shapes = new Map(targets.map((target) => [target, new Map<string, string>()]))
  return {
    targets,
    add(run, { request: { target, messages }, vendor }) {
      // The fields of other services are in no type of OpenAI.
      if (target === 'openai-chat' && vendor !== undefined) return
      const known = shapes.get(target)
      for (const message of messages as readonly unknown[] as readonly Json[]) {
        const shape = shapeOf(message)
        if (known?.has(shape) === false) known.set(shape, run)
      }
    },
    count: (target) => shapes.get(target)?.size ?? 0,
    refused: (target) => compile(target, [...(shapes.get(target) ?? [])]),
  }
}

/** A value as an expression, without what its type does not depend on: texts, what was given, equal elements of a list. */
function shapeOf(value: Json, field = ''): string {
  if (GIVEN.has(field)) return 'given'
  if (typeof value === 'string') return JSON.stringify(CHOOSING.has(field) ? value : 'x')
  if (typeof value === 'number') return '1'
  if (Array.isArray(value)) return `[${[...new Set(value.map((each) => shapeOf(each, field)))].join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  const isGiven = isOfProvider(value)
  const fields = Object.entries(value).flatMap(([name, each]) => {
    if (each === undefined || (isGiven && name === 'caller')) return []
    const isOwn = isGiven && (name === 'name' || name === 'content')
    return [`${JSON.stringify(name)}: ${isOwn ? 'given' : shapeOf(each, name)}`]
  })
  return `{ ${fields.toSorted().join(', ')} }`
}

/** Calls of tools that Anthropic runs, and what it answered. */
const isOfProvider = ({ type }: JsonObject) =>
  type === 'server_tool_use' || (typeof type === 'string' && /._tool_result$/.test(type))

const OPTIONS = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false', '--types', 'node']
const MODULES = ['--module', 'nodenext', '--target', 'esnext', '--lib', 'esnext,dom']
const MOST_SHOWN = 20
const OWN = new Set(['Plain', 'Omit'])
/** A value of an enum is written as the text that it is. */
const HEAD = [
  'declare const given: any',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a type
  'type Plain<T> = T extends string ? `${T}` : T extends Blob | Uint8Array | ArrayBuffer | URL ? T : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T',
]

/** Each shape is a line of a program. A field that the type does not have does not compile, as with any literal. */
function compile(target: Target, shapes: readonly (readonly [shape: string, run: string])[]): readonly string[] {
  const [type, from, more = 'never'] = types[target]
  const folder = mkdtempSync(join(root, 'proofs/laws/.types-'))
  try {
    const names = [...new Set([...`${type} ${more}`.matchAll(/\b[A-Z]\w+/g)].map(String))].filter(
      (name) => !OWN.has(name),
    )
    const lines = shapes.map(([shape], index) => `export const message${index}: Message = ${shape}`)
    const head = [`import type { ${names.join(', ')} } from '${from}'`, ...HEAD, `type Message = ${type} | ${more}`]
    const file = join(folder, 'messages.mts')
    writeFileSync(file, [...head, ...lines, ''].join('\n'))
    const { status, stdout } = spawnSync('tsc', [...OPTIONS, ...MODULES, file], { cwd: root, encoding: 'utf8' })
    if (status === 0) return []
    const sentences = stdout.split('\n').flatMap((line) => {
      const [, at, sentence] = /messages\.mts\((\d+),\d+\): (.*)/.exec(line) ?? []
      const [shape, run] = shapes[Number(at) - head.length - 1] ?? []
      return shape === undefined ? [] : [`${run}: ${sentence} In ${shape.slice(0, 400)}`]
    })
    return sentences.length === 0 ? [stdout.slice(0, 1000)] : sentences.slice(0, MOST_SHOWN)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
