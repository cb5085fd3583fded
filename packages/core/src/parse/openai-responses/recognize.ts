import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** Whether a value is an event of a Responses stream, for formats that wrap one. */
export function isResponseEvent(value: unknown): boolean {
  const type = isJsonObject(value) ? value.type : undefined
  return typeof type === 'string' && (type.startsWith('response.') || type === 'error')
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  // The Realtime protocol has events of the same names; each of those has an id.
  if (!isJsonObject(value) || 'event_id' in value) return undefined
  const { type } = value
  if (type === undefined) return wholeOf(value)
  if (typeof type !== 'string') return undefined
  if (type.startsWith('response.') && hasReference(value)) return { certainty: 1, reason: `a record is a ${type}` }
  if (type === 'keepalive' || type === 'ping') return { certainty: 0.3, reason: `a record is a ${type}` }
  const isError = type === 'error' && ('param' in value || 'sequence_number' in value)
  return isError ? { certainty: 0.6, reason: 'a record is an error with its parameter or number' } : undefined
}

/** Every event of a response names its response, its item or its number. */
function hasReference(value: JsonObject): boolean {
  return (
    isJsonObject(value.response) ||
    isJsonObject(value.item) ||
    typeof value.output_index === 'number' ||
    typeof value.item_id === 'string' ||
    typeof value.sequence_number === 'number'
  )
}

function wholeOf({ object, output }: JsonObject): Recognition | undefined {
  const isWhole = object === 'response' && Array.isArray(output)
  return isWhole ? { certainty: 1, reason: 'a record is a whole response' } : undefined
}
