import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** The lines that the command prints, each with the type of its part. */
const lines: { readonly [type: string]: string } = {
  step_start: 'step-start',
  step_finish: 'step-finish',
  text: 'text',
  reasoning: 'reasoning',
  tool_use: 'tool',
}

const BUS =
  /^(message|session|server|permission|question|todo|file|lsp|storage|installation|command|tui|pty|vcs|ide|project|mcp|workspace|worktree)\./

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value)) return undefined
  const event = isJsonObject(value.payload) ? value.payload : value
  const { type, part, properties, sessionID } = event
  if (typeof type !== 'string') return undefined
  if (isJsonObject(part) && Object.hasOwn(lines, type) && part.type === lines[type]) {
    return { certainty: 1, reason: `a record is a line ${type} of OpenCode's` }
  }
  if (type === 'error' && typeof sessionID === 'string' && event.error !== undefined) {
    return { certainty: 0.9, reason: "a record is a failure of OpenCode's" }
  }
  if (!isJsonObject(properties) || !BUS.test(type)) return undefined
  return { certainty: 0.95, reason: `a record is ${type} of OpenCode's bus` }
}
