import type { Common, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Chunk } from '../format.ts'

/** Fields of ours that may be missing. */
export type Fields = { readonly [field: string]: Json | undefined }

/** The fields that are there: the client refuses a whole run for an optional field that is `null` or not there. */
export function defined(fields: Fields): JsonObject {
  return copyDefined(fields, {})
}

export function chunkOf(type: string, fields: Fields): Chunk {
  return copyDefined(fields, { type })
}

function copyDefined(fields: Fields, kept: Record<string, Json>): JsonObject {
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) kept[field] = value
  }
  return kept
}

/**
 * The one open object of the protocol. What an AG-UI server said there stands where it stood; ours, and what other
 * providers want back, stand under `millrace`. A later one of the same message replaces that key whole, so each must be
 * complete.
 */
export function metadataOf(own: Fields, meta: Meta | undefined, beside?: JsonObject): JsonObject | undefined {
  const millrace = defined({ ...own, meta })
  const hasOwn = Object.keys(millrace).length > 0
  if (!hasOwn && beside === undefined) return undefined
  return { ...meta?.['ag-ui'], ...beside, ...(hasOwn && { millrace }) }
}

/** Who said an event, and when by the framework's clock. */
export function placeOf({ agentId, sentAt }: Common): Fields {
  return { subagentRunId: agentId, timestamp: timestampOf(sentAt) }
}

/** The client refuses fractions. */
export function timestampOf(sentAt: number | undefined): number | undefined {
  const rounded = sentAt === undefined ? undefined : Math.round(sentAt)
  return Number.isSafeInteger(rounded) ? rounded : undefined
}

/** What the protocol has no event for: its fields under the name of ours. */
export function custom(event: StreamEvent, value: Json): Chunk {
  const { messageId, meta } = event
  const metadata = metadataOf({ messageId }, meta)
  return chunkOf('CUSTOM', { ...placeOf(event), name: `millrace.${event.type}`, value, metadata })
}

/** The fields of ours that name a block or a call. */
const NAMES = ['blockId', 'callId'] as const

/** An event's own fields, without those that only place it. Blocks and calls are named as the client knows them. */
export function ownFields(event: StreamEvent, idOf: (id: string) => string): JsonObject {
  const { type: _type, messageId: _message, agentId: _agent, sentAt: _sent, meta: _meta, ...own } = event
  const fields: Record<string, Json> = { ...defined(own as Fields) }
  for (const name of NAMES) if (typeof fields[name] === 'string') fields[name] = idOf(fields[name])
  return fields
}

/** Two providers' words as one; the later one wins key by key. */
export function mergeMeta(earlier: Meta | undefined, later: Meta | undefined): Meta | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier
  const merged: Record<string, JsonObject> = { ...earlier }
  for (const [provider, values] of Object.entries(later)) merged[provider] = { ...merged[provider], ...values }
  return merged
}
