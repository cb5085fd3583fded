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

const NONE: SplitMetadata = { marks: {} }

/** For parts on which Millrace makes no marks. */
export const NO_MARKS: ReadonlySet<string> = new Set()

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
export function textFields<Field extends string>(
  fields: { readonly [key: string]: unknown },
  ...names: readonly Field[]
): { readonly [F in Field]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
  ) as {
    readonly [F in Field]?: string
  }
}

/** Fields about the run. */
export function pushMetadata(out: Out, metadata: JsonObject): void {
  if (!isEmpty(metadata)) out.push({ type: 'metadata', metadata })
}
