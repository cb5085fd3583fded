import type { Meta } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { ProviderMetadata } from './raw.ts'

/** A part's metadata: what Millrace said in words of its own, and what is a provider's. */
export interface SplitMetadata {
  readonly marks: { readonly [key: string]: Json | undefined }
  readonly meta?: Meta
}

const NONE: SplitMetadata = { marks: {} }

/** Takes these keys of ours out of a part's metadata; the rest is kept for whoever wants it back. */
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

/** Whose event it is, and what a provider wants back with it. */
export function scopeOf({ marks, meta }: SplitMetadata): { readonly agentId?: string; readonly meta?: Meta } {
  return { ...textField(marks, 'agentId'), ...(meta !== undefined && { meta }) }
}

/** A field of ours where it is there and holds words. */
export function textField<Field extends string>(
  fields: { readonly [key: string]: unknown },
  field: Field,
): { readonly [F in Field]?: string } {
  const value = fields[field]
  return (typeof value === 'string' ? { [field]: value } : {}) as { readonly [F in Field]?: string }
}
