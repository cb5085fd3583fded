import { present } from '../../data/present.ts'
import type { StatusLevel } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** Fields that identify a line or its context and are not content. */
const ENVELOPE: ReadonlySet<string> = new Set([
  ...['type', 'subtype', 'uuid', 'session_id', 'sessionId', 'timestamp', 'parent_tool_use_id', 'parentUuid'],
  ...['logicalParentUuid', 'isSidechain', 'userType', 'cwd', 'version', 'gitBranch', 'entrypoint', 'slug', 'isMeta'],
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
  return { type: 'data', name, ...present({ id }), data: ownFields(line) }
}

/** Keeps a line as metadata under its name, so that it is not shown. */
export function lineMetadata(name: string, line: object): StreamEvent {
  return { type: 'metadata', metadata: { [name]: ownFields(line) } }
}

export function status(message: string, level: StatusLevel = 'info'): EventOf<'status'> {
  return { type: 'status', message, level }
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

/** The texts of a content, one per line. */
export function textOf(content: Json): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? (content as readonly ({ readonly text?: Json } | null)[]) : []
  return blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n')
}
