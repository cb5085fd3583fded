import { present } from '../../data/present.ts'
import type { Common, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { unmapped } from '../parser.ts'
import type { Out } from './voice.ts'

/** Fields of a provider that no other field of the vocabulary holds, as the `meta` of an event. */
export function keep(provider: string, fields: object): { readonly meta?: Meta } {
  const kept = present(fields) as JsonObject
  return isEmpty(kept) ? {} : { meta: { [provider]: kept } }
}

/** Fields about the run, or about a message, that no other event holds. Returns no event if every field is absent. */
export function metadata(fields: object, scope: Common = {}): StreamEvent[] {
  const kept = present(fields) as JsonObject
  return isEmpty(kept) ? [] : [{ type: 'metadata', metadata: kept, ...scope }]
}

/** Whether an object has no field of its own: without a list of all its keys. */
export function isEmpty(fields: object): boolean {
  for (const _ in fields) return false
  return true
}

/** Keeps a value that is not understood. */
export function keepRaw(out: Out, value: unknown): void {
  out.push(...unmapped(value))
}
