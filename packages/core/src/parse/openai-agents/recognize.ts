import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** The field that each event of a run has beside its type. */
const fields: { readonly [type: string]: readonly string[] } = {
  raw_response_event: ['data'],
  raw_model_stream_event: ['data'],
  run_item_stream_event: ['item'],
  agent_updated_stream_event: ['agent', 'new_agent'],
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { type } = value as { readonly type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(fields, type)) return undefined
  const has = fields[type]?.some((field) => Object.hasOwn(value, field))
  return has ? { certainty: 1, reason: `a record is a ${type}` } : undefined
}
