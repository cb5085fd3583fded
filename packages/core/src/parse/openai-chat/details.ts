import { remember } from '../../data/remember.ts'
import type { Json } from '../../json.ts'
import type { Out } from './speaker.ts'

/** What was said of the responses beside their content, so that each thing is said once. */
export type SeenFields = Map<string, { readonly value: unknown; readonly times: number }>

/** How many fields are remembered: a stream may call them what it likes. */
const MAX_FIELDS = 1024

/** A field without words that changes more often than this counts something, or pads. */
const MOST_CHANGES = 8

/** With some vendors a clock that runs on, which would be told with every chunk. */
const ONCE: ReadonlySet<string> = new Set(['created', 'created_at'])

/** Adds what these fields say anew. Those that are read elsewhere, and padding, are left out. */
export function addMetadata(
  fields: object,
  readFields: ReadonlySet<string>,
  seenFields: SeenFields,
  messageId: string | undefined,
  out: Out,
): void {
  let metadata: { [field: string]: Json } | undefined
  for (const field in fields) {
    if (readFields.has(field)) continue
    const value = (fields as { readonly [field: string]: unknown })[field]
    if (isEmpty(value) || !isNewValue(field, value, seenFields)) continue
    rememberField(field, value, seenFields)
    metadata ??= {}
    metadata[field] = value as Json
  }
  if (metadata !== undefined) out.push({ type: 'metadata', metadata, ...(messageId !== undefined && { messageId }) })
}

/** Remembers what a field says, told or not. */
export function rememberField(field: string, value: unknown, seenFields: SeenFields): void {
  remember(seenFields, field, { value, times: (seenFields.get(field)?.times ?? 0) + 1 }, MAX_FIELDS)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.values(value).every((item) => item === null)
}

function isNewValue(field: string, value: unknown, seenFields: SeenFields): boolean {
  const before = seenFields.get(field)
  if (ONCE.has(field)) return before === undefined && value !== 0
  if (before === undefined) return true
  if (before.value === value) return false
  if (typeof value === 'object') return JSON.stringify(before.value) !== JSON.stringify(value)
  return before.times < MOST_CHANGES || (typeof value === 'string' && value.includes(' '))
}
