import { present } from '../../data/present.ts'
import type { Meta, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { isEmpty } from '../kit/keep.ts'
import { byNames } from '../kit/rows.ts'
import type { Base } from './raw.ts'

/** Servers in Python may send field names in snake case. */
const SNAKE_CASED: ReadonlySet<string> = new Set(
  `message_id thread_id run_id parent_run_id protocol_version tool_call_id tool_call_name tool_calls parent_message_id
  step_name activity_type entity_id encrypted_value subagent_run_id parent_subagent_run_id parent_tool_call_id
  raw_event`.split(/\s+/),
)

/** Fields in which `null` is a value; in other fields older servers send it for absent. */
const NULLABLE_FIELDS: ReadonlySet<string> = new Set(['snapshot', 'value', 'event', 'result'])

/** An event or message with its field names in camel case and without nulls. Almost every one is returned unchanged. */
export function inCamelCase<T extends object>(value: T): T {
  const fields = value as { readonly [field: string]: unknown }
  for (const field in fields) if (needsRespelling(fields, field)) return respelled(fields) as T
  return value
}

function needsRespelling(fields: { readonly [field: string]: unknown }, field: string): boolean {
  return (fields[field] === null && !NULLABLE_FIELDS.has(field)) || SNAKE_CASED.has(field)
}

function respelled(fields: object): object {
  const result: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    const name = SNAKE_CASED.has(field) ? field.replaceAll(/_(.)/g, (_match, first) => first.toUpperCase()) : field
    if (value !== null || NULLABLE_FIELDS.has(field)) result[name] = value
  }
  return result
}

const roles = byNames<Role>([
  ['user', 'user'],
  ['system', 'system developer'],
  ['tool', 'tool'],
])

export function roleOf(role: string | undefined): Role {
  return roles.get(role ?? '') ?? 'assistant'
}

/** A smaller number is not a present-day time in milliseconds: it counts seconds. */
const EARLIEST = 1e11

/** The time of an event: the only common field of a delta. */
export function sentAtOf({ timestamp }: Base): { readonly sentAt?: number } {
  if (typeof timestamp !== 'number') return {}
  return { sentAt: timestamp < EARLIEST ? timestamp * 1000 : timestamp }
}

/** The agent and the time of an event. */
export function originOf(raw: Base): { readonly agentId?: string; readonly sentAt?: number } {
  const { subagentRunId: agentId } = raw
  return agentId === undefined ? sentAtOf(raw) : { agentId, ...sentAtOf(raw) }
}

/** The agent, the time and the metadata of an event. */
export function scopeOf(raw: Base): { readonly agentId?: string; readonly sentAt?: number; readonly meta?: Meta } {
  return { ...originOf(raw), ...metaOf(extraFields(raw)) }
}

/** Every field of every version that is read, or that repeats a field that is read. */
const READ_FIELDS: ReadonlySet<string> = new Set(
  `type timestamp rawEvent metadata subagentRunId threadId runId parentRunId protocolVersion model input result outcome
  interrupt usage message code error stepName messageId role name delta toolCallId toolCallName parentMessageId content
  subtype entityId encryptedValue title snapshot messages activityType patch replace description parentSubagentRunId
  parentToolCallId event source value id toolCalls`.split(/\s+/),
)

/** The metadata of an event, and fields of later versions. Fields that begin with `_` are a recorder's and left out. */
export function extraFields(raw: Base): JsonObject {
  const { metadata } = raw
  let added: Record<string, Json> | undefined
  for (const field in raw) {
    if (READ_FIELDS.has(field) || field.startsWith('_')) continue
    added ??= {}
    added[field] = (raw as { readonly [field: string]: unknown })[field] as Json
  }
  return added === undefined ? objectIn(metadata) : { ...metadata, ...added }
}

export function metaOf(metadata: JsonObject): { readonly meta?: Meta } {
  return isEmpty(metadata) ? {} : { meta: { 'ag-ui': metadata } }
}

/** The type of a file without one, by the type of its part. */
const MEDIA = byNames([
  ['image/*', 'image'],
  ['audio/*', 'audio'],
  ['video/*', 'video'],
  ['application/octet-stream', 'document binary resource'],
])

/** The files among the parts of content, of AG-UI or of MCP; their ids begin with `owner`. */
export function fileParts(content: Json | undefined, owner: string): readonly EventOf<'file'>[] {
  const parts = isJsonObject(content) ? content.content : content
  return Array.isArray(parts) ? parts.flatMap((part: Json, index) => fileOf(part, `${owner}:file-${index}`)) : []
}

function fileOf(part: Json, fileId: string): EventOf<'file'>[] {
  const mediaType = isJsonObject(part) ? MEDIA.get(String(part.type)) : undefined
  if (!isJsonObject(part) || mediaType === undefined) return []
  const source = [part.source, part.resource].find(isJsonObject) ?? part
  const value = textIn(source.value)
  const base64 = textIn(source.data) ?? textIn(source.blob) ?? (source.type === 'data' ? value : undefined)
  const url = textIn(source.url) ?? (source.type === 'url' ? value : undefined)
  const content = fileContent({ base64, url, mediaType: textIn(source.mimeType ?? source.mime_type) }, mediaType)
  // A resource that is text is no file.
  if (part.type === 'resource' && base64 === undefined) return []
  const meta = (base64 ?? url) ? {} : { meta: { 'ag-ui': { source } } }
  return [{ type: 'file', fileId, ...content, ...present({ filename: textIn(part.filename) }), ...meta }]
}

/** The text of content, which may be a list of parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map(({ text }: JsonObject) => (typeof text === 'string' ? text : ''))
    .join('')
}

/** A string unchanged, any other value as JSON. */
export function textOrJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
