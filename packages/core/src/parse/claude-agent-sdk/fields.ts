import { present } from '../../data/present.ts'
import type { StatusLevel } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'

/** The fields that place a line and say nothing of their own. */
const PLACING: ReadonlySet<string> = new Set([
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

/** What a line says beyond its place. */
export function ownFields(line: object): JsonObject {
  const own = Object.entries(line).filter(([field]) => !PLACING.has(field))
  return present(Object.fromEntries(own)) as JsonObject
}

/** Whether a line says anything beyond its place, be it `null`. */
export function hasOwnField(line: object): boolean {
  return Object.keys(line).some((field) => !PLACING.has(field))
}

/** A line that is carried as it is. A later one with the same id takes its place. */
export function data(name: string, line: object, id?: string): StreamEvent {
  return { type: 'data', name, ...(id !== undefined && { id }), data: ownFields(line) }
}

/** A line for the books: it is kept under its name, and nobody is shown it. */
export function aside(name: string, line: object): StreamEvent {
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

export function levelOf(word: unknown): StatusLevel {
  return LEVELS.get(word) ?? 'info'
}

/** The first of these fields that holds words. */
export function wordIn(line: object, ...fields: readonly string[]): string | undefined {
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
