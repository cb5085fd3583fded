import type { Common, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { chunkOf, defined, type Fields, underMillrace } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/**
 * The one open object of the protocol. The metadata of an AG-UI server keeps its keys; our fields and the metadata of
 * other providers stand under `millrace`. Later metadata of the same message replaces that key as a whole, so each must
 * be complete.
 */
export function metadataOf(extra: Fields, meta: Meta | undefined, clientFields?: JsonObject): JsonObject | undefined {
  const ours = underMillrace(meta === undefined ? extra : { ...extra, meta })
  if (meta !== undefined || clientFields !== undefined) return { ...meta?.['ag-ui'], ...clientFields, ...ours }
  return ours.millrace === undefined ? undefined : (ours as JsonObject)
}

/** The agent of an event, and its time by the framework's clock. */
export function scopeOf({ agentId, sentAt }: Common): Fields {
  return { subagentRunId: agentId, timestamp: timestampOf(sentAt) }
}

/** A chunk whose first fields are the scope of its event, if it has one. */
export function scopedChunk(type: string, { agentId, sentAt }: EventScope, fields: Fields): Chunk {
  if (agentId === undefined && sentAt === undefined) return chunkOf(type, fields)
  return chunkOf(type, { subagentRunId: agentId, timestamp: timestampOf(sentAt), ...fields })
}

interface EventScope {
  readonly agentId?: string | undefined
  readonly sentAt?: number | undefined
}

/** The client refuses fractions. */
export function timestampOf(sentAt: number | undefined): number | undefined {
  const rounded = sentAt === undefined ? undefined : Math.round(sentAt)
  return Number.isSafeInteger(rounded) ? rounded : undefined
}

/** An event that the protocol has no type for, under the name of our type. */
export function customChunk(event: StreamEvent, value: Json): Chunk {
  const { messageId, meta } = event
  const metadata = metadataOf({ messageId }, meta)
  return chunkOf('CUSTOM', { ...scopeOf(event), name: `millrace.${event.type}`, value, metadata })
}

/** The fields that hold the id of a block or a call. */
const ID_FIELDS = ['blockId', 'callId'] as const

/** An event's fields without its type and scope. The ids of blocks and calls are those that the client has. */
export function payloadOf(event: StreamEvent, idOf: (id: string) => string): JsonObject {
  const { type: _type, messageId: _message, agentId: _agent, sentAt: _sent, meta: _meta, ...payload } = event
  const fields: Record<string, Json> = { ...defined(payload as Fields) }
  for (const name of ID_FIELDS) if (typeof fields[name] === 'string') fields[name] = idOf(fields[name])
  return fields
}
