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

/** Whether a value is an event of the Claude API: its fields are beside its type, and it has no `data`. */
export function isApiEvent(value: unknown): value is { readonly type: string; readonly timestamp?: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const { type, data, error } = value as { type?: unknown; data?: unknown; error?: unknown }
  if (data !== undefined) return false
  return apiTypes.has(type) || (type === 'error' && error !== undefined && error !== null)
}

/** The certainty of a type that hardly any other format pairs with a `data` object, and of one that others use. */
const DISTINCTIVE = 0.95
const COMMON = 0.85

const certaintyByType: { readonly [Type in AgentLine['type']]: number } = {
  start: COMMON,
  status: COMMON,
  text: COMMON,
  delta: COMMON,
  content: COMMON,
  usage: COMMON,
  result: COMMON,
  error: COMMON,
  done: COMMON,
  warning: DISTINCTIVE,
  thinking: DISTINCTIVE,
  think: DISTINCTIVE,
  think_result: DISTINCTIVE,
  tool_use: DISTINCTIVE,
  tool_call_start: DISTINCTIVE,
  tool_call: DISTINCTIVE,
  tool_result: DISTINCTIVE,
  function_call: DISTINCTIVE,
  function_response: DISTINCTIVE,
  file_op: DISTINCTIVE,
  search: DISTINCTIVE,
  search_result: DISTINCTIVE,
  search_corrected: DISTINCTIVE,
  model_info: DISTINCTIVE,
  todos: DISTINCTIVE,
  todo_create: DISTINCTIVE,
  todo_update: DISTINCTIVE,
  todo_done: DISTINCTIVE,
  subagent_start: DISTINCTIVE,
  subagent_spawn: DISTINCTIVE,
  subagent_complete: DISTINCTIVE,
  usage_total: DISTINCTIVE,
}
const certainties: ReadonlyMap<string, number> = new Map(Object.entries(certaintyByType))

/** Recognises lines of stdout. Events of the Claude API are left to the parser of that format. */
export function recognize({ value }: RawRecord): Recognition | undefined {
  if (isApiEvent(value)) return { certainty: 0.5, reason: `an event of the Claude API, "${value.type}"` }
  if (typeof value !== 'object' || value === null) return undefined
  const { type, data } = value as { type?: unknown; data?: unknown }
  if (typeof type !== 'string' || !isJsonObject(data)) return undefined
  const certainty = certainties.get(type)
  if (certainty === undefined) return { certainty: 0.4, reason: 'an object of a type and its data' }
  return { certainty, reason: `a line of type "${type}" with its data` }
}
