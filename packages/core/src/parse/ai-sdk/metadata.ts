import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { ProviderMetadata } from './raw.ts'

/** The metadata of a part: the marks of Millrace, and the metadata of providers. */
export interface SplitMetadata {
  readonly marks: { readonly [key: string]: Json | undefined }
  readonly meta?: Meta
}

const NONE: SplitMetadata = { marks: {} }

/** Takes these marks of Millrace out of a part's metadata; the rest is kept as provider metadata. */
export function splitMetadata(metadata: ProviderMetadata | null | undefined, keys: ReadonlySet<string>): SplitMetadata {
  if (metadata === undefined || metadata === null) return NONE
  const marks: Record<string, Json> = {}
  const meta: Record<string, JsonObject> = {}
  for (const [provider, values] of Object.entries(metadata)) {
    if (!isJsonObject(values)) meta[provider] = { value: values }
    else if (provider !== 'millrace') meta[provider] = values
    else {
      const others: Record<string, Json> = {}
      for (const [key, value] of Object.entries(values)) (keys.has(key) ? marks : others)[key] = value
      if (Object.keys(others).length > 0) meta.millrace = others
    }
  }
  return Object.keys(meta).length === 0 ? { marks } : { marks, meta }
}

/** The agent of an event and the metadata of providers. */
export function scopeOf({ marks, meta }: SplitMetadata): { readonly agentId?: string; readonly meta?: Meta } {
  return { ...textField(marks, 'agentId'), ...present({ meta }) }
}

/** The field if it is a string, else no field. */
export function textField<Field extends string>(
  fields: { readonly [key: string]: unknown },
  field: Field,
): { readonly [F in Field]?: string } {
  const value = fields[field]
  return (typeof value === 'string' ? { [field]: value } : {}) as { readonly [F in Field]?: string }
}
