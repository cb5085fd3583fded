import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { RawResponse } from './raw.ts'

/** Fields that OpenAI expects back in the next request, as `meta`; empty if every field is absent. */
export function openaiMeta(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const openai = present(fields) as { readonly [field: string]: Json }
  return Object.keys(openai).length === 0 ? {} : { meta: { openai } }
}

/** Fields that other events carry, or that only hold the progress of the response. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['object', 'status', 'output', 'output_text', 'usage', 'error'])

/** The fields of a response besides its content, its usage and its error. */
export function detailsOf(response: RawResponse): JsonObject {
  const details = Object.entries(response).filter(([field, value]) => !READ_ELSEWHERE.has(field) && value !== null)
  return Object.fromEntries(details) as JsonObject
}

/** Each event holds the whole response: only changed fields are emitted. */
export function metadataEvents(before: JsonObject, details: JsonObject): StreamEvent[] {
  const changed = Object.entries(details).filter(([field, value]) => !isSame(before[field], value))
  return changed.length === 0 ? [] : [{ type: 'metadata', metadata: Object.fromEntries(changed) }]
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const fields = Object.keys(one)
  if (fields.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false
  return fields.every((field) => isSame((one as JsonObject)[field], (other as JsonObject)[field]))
}
