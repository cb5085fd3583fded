import { remember } from '../../data/remember.ts'
import type { Json } from '../../json.ts'
import type { Out } from './speaker.ts'

/** The values of fields beside the content, so that each value is reported once. */
export type SeenFields = Map<string, { readonly value: unknown; readonly times: number }>

/** The maximum number of remembered fields: a stream may use any names. */
const MAX_FIELDS = 1024

/** A field without spaces that changes more often than this is a counter or padding. */
const MOST_CHANGES = 8

/** For some vendors these are a running clock, which would be reported with every chunk. */
const ONCE: ReadonlySet<string> = new Set(['created', 'created_at'])

/** Adds the new values of these fields as metadata. Fields that are read elsewhere, and padding, are left out. */
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

/** Remembers the value of a field, reported or not. */
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
