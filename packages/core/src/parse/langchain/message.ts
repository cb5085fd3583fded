import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { byNames } from '../kit/rows.ts'

export type LangRole = 'user' | 'assistant' | 'system' | 'tool' | 'remove'

/** A LangChain message, read from any of its serialisations. */
export type LangMessage = NonNullable<ReturnType<typeof messageOf>>

/** A call, or a fragment of one: then `args` is a part of JSON text, and only the first has the id and the name. */
export interface RawCall {
  readonly id?: string | null
  readonly name?: string | null
  readonly args?: Json
  readonly index?: number | string | null
  readonly error?: string | null
}

const roles = byNames<LangRole>([
  ['user', 'human user'],
  ['assistant', 'ai assistant chat'],
  ['system', 'system developer'],
  ['tool', 'tool function'],
  ['remove', 'remove'],
])

const NO_CALLS: readonly RawCall[] = []

/** Reads a message in the form `{lc, id, kwargs}`, `{type, data}` or flat; undefined for any other value. */
export function readMessage(value: unknown): LangMessage | undefined {
  if (!isJsonObject(value)) return undefined
  if (value.type === 'constructor') {
    const name = Array.isArray(value.id) ? value.id.at(-1) : undefined
    return isJsonObject(value.kwargs) && typeof name === 'string' ? messageOf(name, value.kwargs) : undefined
  }
  const type = textIn(value.type) ?? textIn(value.role)
  if (type === undefined) return undefined
  return messageOf(type, isJsonObject(value.data) && value.content === undefined ? value.data : value)
}

/** The messages of a list; undefined unless every item is a message. */
export function readMessages(value: unknown): readonly LangMessage[] | undefined {
  if (!Array.isArray(value)) return undefined
  const messages = value.map(readMessage)
  return messages.every((message) => message !== undefined) ? messages : undefined
}

function messageOf(type: string, fields: JsonObject) {
  const kind = type.replace(/Message(?:Chunk)?$/, '').toLowerCase()
  const role = kind === 'chat' ? (roles.get(String(fields.role)) ?? 'assistant') : roles.get(kind)
  const content = contentOf(fields.content)
  if (role === undefined || (content === undefined && role !== 'remove')) return undefined
  const toolCalls = callsOf(fields.tool_calls)
  const invalidToolCalls = callsOf(fields.invalid_tool_calls)
  const toolCallChunks = callsOf(fields.tool_call_chunks)
  if (!toolCalls || !invalidToolCalls || !toolCallChunks || Array.isArray(fields.additional_kwargs)) return undefined
  return {
    role,
    /** Whether its class is a chunk class. A merged message may keep that class, so its origin decides. */
    isChunk: type.endsWith('Chunk'),
    /** Whether it has the field that only chunks have: servers write their class as that of a whole message. */
    hasChunks: fields.tool_call_chunks !== undefined,
    id: textIn(fields.id),
    name: textIn(fields.name),
    content: content ?? '',
    toolCalls,
    invalidToolCalls,
    toolCallChunks,
    toolCallId: textIn(fields.tool_call_id),
    isError: fields.status === 'error',
    artifact: fields.artifact ?? undefined,
    usage: isJsonObject(fields.usage_metadata) ? fields.usage_metadata : undefined,
    responseMetadata: objectIn(fields.response_metadata),
    additionalKwargs: objectIn(fields.additional_kwargs),
    /** In newer versions, whether it is the last chunk of its message. */
    isLast: fields.chunk_position === 'last',
  }
}

/** A message that only calls tools may leave its content out. */
function contentOf(content: Json | undefined): string | readonly Json[] | undefined {
  if (content === undefined || content === null) return ''
  return typeof content === 'string' || Array.isArray(content) ? content : undefined
}

/** The calls of a list; undefined for any other value. */
function callsOf(calls: Json | undefined): readonly RawCall[] | undefined {
  if (calls === undefined || calls === null) return NO_CALLS
  return Array.isArray(calls) && calls.every(isJsonObject) ? calls : undefined
}
