import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { Update } from './updates.ts'

/** A JSON-RPC message of either side: the fields that are read. */
export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject | null
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: Json } | null
}

/** What an agent reports about a session. */
interface Notification {
  readonly sessionId?: string
  readonly update: Update
}

/** The fields in which logs of a connection hold the message. */
const WRAPPERS = ['message', 'msg', 'payload', 'data'] as const

/** The JSON-RPC message of a record, which may be a line of a log or an update without its envelope. */
export function unwrap(value: unknown): Message | undefined {
  if (!isJsonObject(value)) return undefined
  if (isMessage(value)) return value
  for (const key of WRAPPERS) {
    const inner = value[key]
    const message = isJsonObject(inner) ? (isMessage(inner) ? inner : updateOf(inner)) : undefined
    if (message !== undefined) return message as Message
  }
  return updateOf(value)
}

function updateOf(value: JsonObject): Message | undefined {
  const notification = notificationOf(value)
  return notification === undefined ? undefined : { method: 'session/update', params: notification as never }
}

/** Logs omit the fields that are equal in every message. */
function isMessage(value: JsonObject): boolean {
  if (value.jsonrpc !== '2.0') return value.method === 'session/update' && isJsonObject(value.params)
  return typeof value.method === 'string' || 'result' in value || isJsonObject(value.error)
}

/** `{sessionId, update}`, or the update alone, which may hold its `sessionId`. */
export function notificationOf(value: JsonObject): Notification | undefined {
  if (isJsonObject(value.update) && typeof value.update.sessionUpdate === 'string')
    return value as unknown as Notification
  if (typeof value.sessionUpdate !== 'string') return undefined
  const { sessionId, ...update } = value
  return { ...(typeof sessionId === 'string' && { sessionId }), update: update as never }
}

const METHODS = /^(session\/|fs\/(read|write)_text_file$|terminal\/|elicitation\/)/

/** An answer is recognised by its fields: many protocols use JSON-RPC. */
const RESULTS = ['stopReason', 'outcome', 'agentCapabilities', 'sessionId', 'terminalId']

export function recognize({ value }: RawRecord): Recognition | undefined {
  const message = unwrap(value)
  if (message === undefined) return undefined
  const { method, params, result } = message
  if (method === 'session/update' && isJsonObject(params) && notificationOf(params) !== undefined) {
    return { certainty: 1, reason: 'a record is an ACP session/update' }
  }
  if (method !== undefined) {
    if (METHODS.test(method)) return { certainty: 0.9, reason: `a record is an ACP ${method}` }
    const isAcp = method === 'initialize' && isJsonObject(params) && isJsonObject(params.clientCapabilities)
    return { certainty: isAcp ? 0.9 : 0.3, reason: 'a record is a JSON-RPC request' }
  }
  const isAcp = isJsonObject(result) && RESULTS.some((field) => field in result)
  return { certainty: isAcp ? 0.8 : 0.4, reason: 'a record is a JSON-RPC answer' }
}
