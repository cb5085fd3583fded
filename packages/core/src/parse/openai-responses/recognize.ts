import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

type Fields = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is an event of a Responses stream, for whoever wraps one. */
export function isResponseEvent(value: unknown): boolean {
  const type = isObject(value) ? value.type : undefined
  return typeof type === 'string' && (type.startsWith('response.') || type === 'error')
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  // The Realtime protocol has events of the same names; each of them has an id.
  if (!isObject(value) || 'event_id' in value) return undefined
  const { type } = value
  if (type === undefined) return wholeOf(value)
  if (typeof type !== 'string') return undefined
  if (type.startsWith('response.') && isPlaced(value)) return { certainty: 1, reason: `a record is a ${type}` }
  if (type === 'keepalive' || type === 'ping') return { certainty: 0.3, reason: `a record is a ${type}` }
  const isError = type === 'error' && ('param' in value || 'sequence_number' in value)
  return isError ? { certainty: 0.6, reason: 'a record is an error with its parameter or number' } : undefined
}

/** Every event of a response says its response, its item or its number. */
function isPlaced(value: Fields): boolean {
  return (
    isObject(value.response) ||
    isObject(value.item) ||
    typeof value.output_index === 'number' ||
    typeof value.item_id === 'string' ||
    typeof value.sequence_number === 'number'
  )
}

function wholeOf({ object, output }: Fields): Recognition | undefined {
  const isWhole = object === 'response' && Array.isArray(output)
  return isWhole ? { certainty: 1, reason: 'a record is a whole response' } : undefined
}
