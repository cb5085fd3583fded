import { present } from '../../data/present.ts'
import type { StatusLevel } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Block, MediaBlock, RawMessage } from '../anthropic-messages/raw.ts'

/** Fields of all lines. A live line names its session `session_id`, a stored one `sessionId`. */
export interface Line {
  readonly uuid?: string | null
  readonly timestamp?: string | number | null
  /** The call that started the subagent whose line this is. */
  readonly parent_tool_use_id?: string | null
  readonly parentToolUseID?: string | null
  readonly subagent_type?: string | null
  readonly task_description?: string | null
  /** Only on stored lines: whether a subagent wrote it, the line that it follows, and the subagent's own id. */
  readonly isSidechain?: boolean | null
  readonly parentUuid?: string | null
  readonly agentId?: string | null
}

export interface AssistantLine extends Line {
  readonly type: 'assistant'
  readonly message: RawMessage<readonly Block[] | string>
  readonly error?: string | null
  readonly request_id?: string | null
  readonly requestId?: string | null
  /** The lines that this line replaces. */
  readonly supersedes?: readonly string[] | null
  readonly aborted?: boolean | null
}

export interface UserLine extends Line {
  readonly type: 'user'
  readonly message: { readonly content?: UserContent | null } | string
  readonly tool_use_result?: Json
  readonly toolUseResult?: Json
  readonly isReplay?: boolean | null
  readonly isSynthetic?: boolean | null
  readonly isMeta?: boolean | null
  readonly isCompactSummary?: boolean | null
  readonly origin?: { readonly kind?: string } | null
}

export type UserContent = string | readonly (UserBlock | string)[]

export interface UserBlock extends MediaBlock {
  readonly type: string
  readonly text?: string
  readonly tool_use_id?: string | null
  readonly content?: Json
  readonly is_error?: boolean | null
  readonly error?: Json
}

export interface StreamLine extends Line {
  readonly type: 'stream_event'
  readonly event: { readonly type: string; readonly index?: number; readonly message?: JsonObject }
  /** The message that the event belongs to. */
  readonly api_message_id?: string | null
}

export interface ResultLine extends Line {
  readonly type: 'result'
  readonly subtype?: string | null
  readonly is_error?: boolean | null
  readonly result?: Json
  readonly errors?: readonly Json[] | null
  readonly usage?: JsonObject | null
  readonly total_cost_usd?: number | null
  readonly duration_ms?: number | null
  readonly num_turns?: number | null
  readonly stop_reason?: string | null
  readonly terminal_reason?: string | null
  readonly deferred_tool_use?: Json
  readonly [other: string]: Json | undefined
}

/** A line for many purposes, selected by the subtype. */
export interface SystemLine extends Line {
  readonly type: 'system'
  readonly subtype?: string | null
  readonly content?: Json
  readonly level?: string | null
  readonly [other: string]: Json | undefined
}

/** Reports work under way in a stored session; for a subagent, its lines. */
export interface ProgressLine extends Line {
  readonly type: 'progress'
  readonly toolUseID?: string | null
  readonly data: {
    readonly type?: string
    readonly message?: AssistantLine | UserLine | null
    readonly agentId?: string
    readonly [other: string]: unknown
  }
}

/** Any other line, with fields of its own. */
export interface PlainLine<Type extends string> extends Line {
  readonly type: Type
  readonly [other: string]: Json | undefined
}

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

/** Like `textIn`, but throws if a field holds something else than a text, so that the line is kept. */
export function onlyTextIn(line: object, ...fields: readonly string[]): string | undefined {
  const isReadable = fields.every((field) => typeof ((line as Fields)[field] ?? '') === 'string')
  if (!isReadable) throw new TypeError(`The line has no text in ${fields.join(' or ')}.`)
  return textIn(line, ...fields)
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
