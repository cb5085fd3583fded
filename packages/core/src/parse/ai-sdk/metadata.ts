import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { ProviderMetadata } from './raw.ts'

/** The metadata of a part: the marks of Millrace, and the metadata of providers. */
export interface SplitMetadata {
  readonly marks: { readonly [key: string]: Json | undefined }
  readonly meta?: Meta
}

export const NO_METADATA: SplitMetadata = { marks: {} }

/** For parts on which Millrace makes no marks. */
export const NO_MARKS: ReadonlySet<string> = new Set()

/** Takes these marks of Millrace out of a part's metadata; the rest is kept as provider metadata. */
export function splitMetadata(metadata: ProviderMetadata | null | undefined, keys: ReadonlySet<string>): SplitMetadata {
  if (metadata === undefined || metadata === null) return NO_METADATA
  const marks: Record<string, Json> = {}
  const meta: Record<string, JsonObject> = {}
  for (const [provider, values] of Object.entries(metadata)) {
    if (!isJsonObject(values)) meta[provider] = { value: values }
    else if (provider !== 'millrace') meta[provider] = values
    else {
      const others: Record<string, Json> = {}
      for (const [key, value] of Object.entries(values)) (keys.has(key) ? marks : others)[key] = value
      if (!isEmpty(others)) meta.millrace = others
    }
  }
  return isEmpty(meta) ? { marks } : { marks, meta }
}

/** The agent of an event and the metadata of providers. */
export function scopeOf({ marks, meta }: SplitMetadata): { readonly agentId?: string; readonly meta?: Meta } {
  return { ...textFields(marks, 'agentId'), ...present({ meta }) }
}

/** Those of the fields that are strings. */
export function textFields<Field extends string>(fields: object, ...names: readonly Field[]) {
  const texts: { [F in Field]?: string } = {}
  for (const name of names) {
    const value = (fields as { readonly [field: string]: unknown })[name]
    if (typeof value === 'string') texts[name] = value
  }
  return texts
}

/** The first of these fields that any provider sent. */
export function firstField({ meta = {} }: SplitMetadata, ...fields: readonly string[]): string | undefined {
  const values = Object.values(meta).flatMap((provider) => fields.map((field) => provider[field]))
  return values.find((value) => typeof value === 'string')
}

/** Fields about the run. */
export function pushMetadata(out: Out, metadata: JsonObject): void {
  if (!isEmpty(metadata)) out.push({ type: 'metadata', metadata })
}
