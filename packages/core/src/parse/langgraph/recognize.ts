import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { type Item, isEmpty, itemOf, RELAY_EVENTS, SERVER_EVENTS, STREAM_MODES } from './items.ts'

const METHODS: ReadonlySet<string> = new Set([...STREAM_MODES, 'lifecycle', 'input.requested'])

/** Event names that other servers use as well. */
const COMMON: ReadonlySet<string> = new Set(['metadata', 'error', 'end', 'feedback', 'interrupt'])

export function recognize(record: RawRecord): Recognition | undefined {
  const item = itemOf(record.value, record)
  if (item === undefined) return undefined
  const { mode } = item
  if (item.isProtocol) return isMethod(mode) ? { certainty: 1, reason: `the protocol's method "${mode}"` } : undefined
  return { certainty: certaintyOf(item, record), reason: `a stream of a graph, mode "${mode}"` }
}

const isMethod = (method: string) => METHODS.has(method) || method.startsWith('custom:')

function certaintyOf({ mode, data }: Item, { value, name }: RawRecord): number {
  if (Array.isArray(value)) return 0.95
  if (COMMON.has(mode)) return mode === 'interrupt' && isJsonObject(data) && data.thread_id !== undefined ? 0.95 : 0.5
  if (RELAY_EVENTS.has(mode)) return isJsonObject(data) && data.thread_id !== undefined ? 0.95 : 0.5
  if (SERVER_EVENTS.has(mode)) return 0.95
  if (isJsonObject(value) && data === value && Object.values(value).every(isEmpty)) return 0.6
  const isNamed = name !== undefined || (isJsonObject(value) && (value.event !== undefined || value.ns !== undefined))
  return isNamed ? 0.9 : 0.85
}
