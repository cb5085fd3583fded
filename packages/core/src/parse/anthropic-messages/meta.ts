import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json } from '../../json.ts'
import type { Caller } from './raw.ts'

/** What Anthropic wants back with the next request, in its own words; nothing where every field is absent. */
export function keep(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const anthropic = present(fields) as { readonly [field: string]: Json }
  return Object.keys(anthropic).length === 0 ? {} : { meta: { anthropic } }
}

/** A caller other than the model itself. */
export function indirectCaller(caller: Caller | null | undefined): Json | undefined {
  return caller === null || caller === undefined || caller.type === 'direct' ? undefined : caller
}
