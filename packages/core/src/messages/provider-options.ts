import type { Folded, Segment } from '../fold/shapes.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { ProviderOptions } from './model-types.ts'

/** The names under which the AI SDK's providers read a field; a field that is not listed has the same name. */
const NAMES: { readonly [provider: string]: { readonly [field: string]: string } } = {
  openai: { item_id: 'itemId' },
}

/** What the providers of the AI SDK want back with a part, in their spelling; undefined if there is nothing. */
export function providerOptionsOf(segment: Folded): ProviderOptions | undefined {
  const { meta = {} } = segment
  const { signature, encrypted } = segment as Partial<Extract<Segment, { type: 'reasoning' }>>
  const kept: { [provider: string]: JsonObject } = {}
  for (const [provider, fields] of Object.entries(meta))
    if (provider !== 'millrace') kept[provider] = spelled(provider, fields)
  if (kept.anthropic !== undefined)
    kept.anthropic = {
      ...kept.anthropic,
      ...(signature !== undefined && { signature }),
      ...(encrypted !== undefined && { redactedData: encrypted }),
    }
  if (kept.openai !== undefined && encrypted !== undefined)
    kept.openai = { ...kept.openai, reasoningEncryptedContent: encrypted }
  if (kept.google !== undefined && signature !== undefined)
    kept.google = { thoughtSignature: signature, ...kept.google }
  return Object.keys(kept).length === 0 ? undefined : (kept as unknown as ProviderOptions)
}

function spelled(provider: string, fields: JsonObject): JsonObject {
  const names = NAMES[provider] ?? {}
  const entries = Object.entries(fields).map(([field, value]): [string, Json] => [
    names[field] ?? field,
    callerOf(field, value),
  ])
  return Object.fromEntries(entries)
}

function callerOf(field: string, value: Json): Json {
  if (field !== 'caller' || !isJsonObject(value)) return value
  const { tool_id: toolId, ...rest } = value
  return { ...rest, ...(toolId !== undefined && { toolId }) }
}
