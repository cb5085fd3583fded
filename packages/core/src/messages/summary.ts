import { isJsonObject } from '../json.ts'

/** How many messages a summary names. */
const NAMED = 6

/** Fields that hold the blocks of a message, in any provider's shape. */
const LISTS = ['content', 'parts', 'tool_calls'] as const

/**
 * The end of a request as one line, for the log when a provider refuses it: the roles and the types of blocks of the
 * last six messages, and nothing of what they say.
 */
export function summaryOf(messages: readonly object[]): string {
  const last = messages.slice(-NAMED).map(shapeOf)
  const left = messages.length - last.length
  return `${left > 0 ? `${left} more, ` : ''}${last.join(' ')}`
}

function shapeOf(message: object): string {
  const fields = message as { readonly [field: string]: unknown }
  const name = wordIn(fields.role) ?? wordIn(fields.type) ?? 'message'
  const blocks = LISTS.flatMap((field) => typesIn(fields[field]))
  return blocks.length === 0 ? name : `${name}[${blocks.join(',')}]`
}

function typesIn(list: unknown): readonly string[] {
  if (typeof list === 'string') return list === '' ? [] : ['text']
  if (!Array.isArray(list)) return []
  return list.map((block) => {
    if (!isJsonObject(block)) return 'block'
    return wordIn(block.type) ?? Object.keys(block).find((field) => /^[a-zA-Z]{1,40}$/.test(field)) ?? 'block'
  })
}

/** The names of roles and types: what looks like anything else is left out. */
const wordIn = (value: unknown) => (typeof value === 'string' && /^[a-z][a-z_-]{0,40}$/.test(value) ? value : undefined)
