import { isJsonObject, type JsonObject } from '../../json.ts'
import { type RawRecord, TERMINATOR } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** The field of `delta.message` that each type has. Other streams use the same names for their types. */
const CARRIED: { readonly [type: string]: string } = {
  'content-start': 'content',
  'content-delta': 'content',
  'tool-plan-delta': 'tool_plan',
  'tool-call-start': 'tool_calls',
  'tool-call-delta': 'tool_calls',
  'citation-start': 'citations',
}

const OLD_TYPES: ReadonlySet<unknown> = new Set([
  'stream-start',
  'text-generation',
  'citation-generation',
  'search-queries-generation',
  'search-results',
  'tool-calls-chunk',
  'tool-calls-generation',
  'stream-end',
  'debug',
])

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (value === TERMINATOR) return { certainty: 0.3, reason: `the stream says ${TERMINATOR}` }
  if (!isJsonObject(value)) return undefined
  if (typeof value.is_finished === 'boolean') return recognizeOld(value)
  const certainty = typeof value.type === 'string' ? certaintyOf(value, value.type) : certaintyOfWhole(value)
  return certainty === 0 ? undefined : { certainty, reason: `a record is a Cohere ${value.type ?? 'response'}` }
}

function certaintyOf({ delta, index }: JsonObject, type: string): number {
  const message = isJsonObject(delta) && isJsonObject(delta.message) ? delta.message : undefined
  const carried = CARRIED[type]
  if (carried !== undefined) return message !== undefined && carried in message ? 1 : 0
  if (type === 'message-start') return message === undefined ? 0 : 1
  if (type === 'message-end') return isJsonObject(delta) && ('finish_reason' in delta || 'usage' in delta) ? 0.95 : 0
  const isEnd = type === 'content-end' || type === 'tool-call-end' || type === 'citation-end'
  return isEnd && typeof index === 'number' ? 0.7 : 0
}

function certaintyOfWhole({ message, finish_reason, usage }: JsonObject): number {
  const isWhole = isJsonObject(message) && message.role === 'assistant' && typeof finish_reason === 'string'
  return isWhole && isJsonObject(usage) && ('tokens' in usage || 'billed_units' in usage) ? 0.9 : 0
}

function recognizeOld({ event_type, text, finish_reason }: JsonObject): Recognition | undefined {
  if (OLD_TYPES.has(event_type)) return { certainty: 0.95, reason: `a record is a Cohere ${event_type}` }
  const isGenerated = event_type === undefined && (typeof text === 'string' || typeof finish_reason === 'string')
  return isGenerated ? { certainty: 0.7, reason: 'a record is text that Cohere generated' } : undefined
}
