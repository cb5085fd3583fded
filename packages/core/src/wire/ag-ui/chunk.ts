import type { Common, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/**
 * The one open object of the protocol. What an AG-UI server said there stands where it stood; ours, and what other
 * providers want back, stand under `millrace`. A later one of the same message replaces that key whole, so each must be
 * complete.
 */
export function metadataOf(own: Fields, meta: Meta | undefined, beside?: JsonObject): JsonObject | undefined {
  const millrace = defined(meta === undefined ? own : { ...own, meta })
  const hasOwn = Object.keys(millrace).length > 0
  if (!hasOwn && beside === undefined) return undefined
  if (meta === undefined && beside === undefined) return { millrace }
  return { ...meta?.['ag-ui'], ...beside, ...(hasOwn && { millrace }) }
}

/** Who said an event, and when by the framework's clock. */
export function placeOf({ agentId, sentAt }: Common): Fields {
  return { subagentRunId: agentId, timestamp: timestampOf(sentAt) }
}

/** A chunk that says who and when before all else, where there is anything to say of that. */
export function placedChunk(type: string, { agentId, sentAt }: Place, fields: Fields): Chunk {
  if (agentId === undefined && sentAt === undefined) return chunkOf(type, fields)
  return chunkOf(type, { subagentRunId: agentId, timestamp: timestampOf(sentAt), ...fields })
}

interface Place {
  readonly agentId?: string | undefined
  readonly sentAt?: number | undefined
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
