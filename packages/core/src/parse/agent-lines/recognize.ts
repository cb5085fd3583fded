import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { AgentLine } from './lines.ts'

const apiTypes: ReadonlySet<unknown> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
])

/** Whether a value is an event of the Claude API, which has its fields beside its type and no `data`. */
export function isApiEvent(value: unknown): value is { readonly type: string; readonly timestamp?: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const { type, data, error } = value as { type?: unknown; data?: unknown; error?: unknown }
  if (data !== undefined) return false
  return apiTypes.has(type) || (type === 'error' && error !== undefined && error !== null)
}

/** A word that hardly any other stream pairs with an object called `data`, and one that others use as well. */
const OWN = 0.95
const COMMON = 0.85

const words: { readonly [Type in AgentLine['type']]: number } = {
  start: COMMON,
  status: COMMON,
  text: COMMON,
  delta: COMMON,
  content: COMMON,
  usage: COMMON,
  result: COMMON,
  error: COMMON,
  done: COMMON,
  warning: OWN,
  thinking: OWN,
  think: OWN,
  think_result: OWN,
  tool_use: OWN,
  tool_call_start: OWN,
  tool_call: OWN,
  tool_result: OWN,
  function_call: OWN,
  function_response: OWN,
  file_op: OWN,
  search: OWN,
  search_result: OWN,
  search_corrected: OWN,
  model_info: OWN,
  todos: OWN,
  todo_create: OWN,
  todo_update: OWN,
  todo_done: OWN,
  subagent_start: OWN,
  subagent_spawn: OWN,
  subagent_complete: OWN,
  usage_total: OWN,
}
const certainties: ReadonlyMap<string, number> = new Map(Object.entries(words))

/** How much a record looks like a line of stdout. Events of the Claude API are left to the parser of that name. */
export function recognize({ value }: RawRecord): Recognition | undefined {
  if (isApiEvent(value)) return { certainty: 0.5, reason: `an event of the Claude API, "${value.type}"` }
  if (typeof value !== 'object' || value === null) return undefined
  const { type, data } = value as { type?: unknown; data?: unknown }
  if (typeof type !== 'string' || !isJsonObject(data)) return undefined
  const certainty = certainties.get(type)
  if (certainty === undefined) return { certainty: 0.4, reason: 'an object of a type and its data' }
  return { certainty, reason: `a line of type "${type}" with its data` }
}
