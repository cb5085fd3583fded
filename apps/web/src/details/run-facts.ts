import { openPartsOf, type RunSnapshot } from '@millrace/core/fold'
import type { Json, JsonObject } from '@millrace/core/json'
import { bytesText, englishLabels } from '@millrace/react'

/** How an agent was started and how it ended, for people. */
export interface Fact {
  readonly label: string
  /** A command line can be copied; names are shown one by one. */
  readonly value: string | { readonly command: string } | { readonly names: readonly string[] }
}

export interface FactGroup {
  readonly title: string
  readonly facts: readonly Fact[]
}

const titles: { readonly [group: string]: string } = {
  launch: 'How it was started',
  exit: 'How it ended',
  session: 'Its own conversation',
}

const labels: { readonly [field: string]: string } = {
  adapter: 'Adapter',
  dialect: 'Dialect',
  preset: 'Preset',
  argv: 'Command',
  cwd: 'Folder',
  permissions: 'Permissions',
  sandbox: 'Sandbox',
  env: 'Environment, names only',
  code: 'Exit code',
  exitCode: 'Exit code',
  signal: 'Signal',
  peakMemory: 'Peak memory',
  agent: 'Agent',
  id: 'Session',
  at: 'Position',
}

/** The facts that the server has logged about the agent of a run. A field without a label is shown under its own name. */
export function runFacts(metadata: JsonObject | undefined): readonly FactGroup[] {
  const { millrace } = metadata ?? {}
  if (!isObject(millrace)) return []
  return Object.entries(titles).flatMap(([group, title]) => {
    const fields = millrace[group]
    if (!isObject(fields)) return []
    const shown = Object.entries(fields).filter(([field]) => field !== PRINTED)
    const facts = shown.map(
      ([field, value]): Fact => ({ label: labels[field] ?? field, value: factValue(field, value) }),
    )
    return facts.length === 0 ? [] : [{ title, facts }]
  })
}

/** What the stream has begun and not ended. An ended run has nothing open. */
export function openFacts({ chatEvents, outcome }: Pick<RunSnapshot, 'chatEvents' | 'outcome'>): readonly Fact[] {
  if (outcome !== undefined) return []
  const names = openPartsOf(chatEvents).map(({ kind, name, seq }) => [kind, name, `#${seq}`].filter(Boolean).join(' '))
  return [{ label: 'Open now', value: { names } }]
}

/** The last lines that a program printed beside its stream before a bad end. */
const PRINTED = 'stderr'

export function loggedStderr(metadata: JsonObject | undefined): string | undefined {
  const { millrace } = metadata ?? {}
  const exit = isObject(millrace) ? millrace.exit : undefined
  const printed = isObject(exit) ? exit[PRINTED] : undefined
  return typeof printed === 'string' ? printed : undefined
}

function factValue(field: string, value: Json): Fact['value'] {
  if (isWords(value)) return wordsValue(field, value)
  return field === 'peakMemory' && typeof value === 'number' ? bytesText(value, englishLabels) : textOf(value)
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isWords = (value: Json): value is string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string')

const wordsValue = (field: string, words: readonly string[]): Fact['value'] =>
  field === 'argv' ? { command: words.map(quoted).join(' ') } : { names: words }

/** As a shell reads it, so that a copied line means the same. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
