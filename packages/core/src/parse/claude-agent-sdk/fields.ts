import { present } from '../../data/present.ts'
import type { StatusLevel } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'

/** Fields that identify a line or its context and are not content. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'type',
  'subtype',
  'uuid',
  'session_id',
  'sessionId',
  'timestamp',
  'parent_tool_use_id',
  'parentUuid',
  'logicalParentUuid',
  'isSidechain',
  'userType',
  'cwd',
  'version',
  'gitBranch',
  'entrypoint',
  'slug',
  'isMeta',
])

type Fields = { readonly [field: string]: unknown }

/** The fields of a line that are content. */
export function ownFields(line: object): JsonObject {
  const ownEntries = Object.entries(line).filter(([field]) => !ENVELOPE.has(field))
  return present(Object.fromEntries(ownEntries)) as JsonObject
}

/** Whether a line has a content field, even if its value is `null`. */
export function hasOwnField(line: object): boolean {
  return Object.keys(line).some((field) => !ENVELOPE.has(field))
}

/** Carries a line as data. A later one with the same id replaces it. */
export function lineData(name: string, line: object, id?: string): StreamEvent {
  return { type: 'data', name, ...(id !== undefined && { id }), data: ownFields(line) }
}

/** Keeps a line as metadata under its name, so that it is not shown. */
export function lineMetadata(name: string, line: object): StreamEvent {
  return { type: 'metadata', metadata: { [name]: ownFields(line) } }
}

export function metadata(fields: object): StreamEvent[] {
  const kept = present(fields) as JsonObject
  return Object.keys(kept).length === 0 ? [] : [{ type: 'metadata', metadata: kept }]
}

export function status(message: string, level: StatusLevel = 'info'): EventOf<'status'> {
  return { type: 'status', message, level }
}

const LEVELS: ReadonlyMap<unknown, StatusLevel> = new Map([
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['error', 'error'],
])

export function levelOf(level: unknown): StatusLevel {
  return LEVELS.get(level) ?? 'info'
}

/** The first of these fields that holds a text that is not blank. */
export function textIn(line: object, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = (line as Fields)[field]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

export function objectIn(line: object, field: string): JsonObject {
  const value = (line as Fields)[field]
  return isJsonObject(value) ? value : {}
}
