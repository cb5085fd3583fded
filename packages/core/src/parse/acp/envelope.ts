import { isJsonObject, type JsonObject } from '../../json.ts'
import type { Message, Notification } from './raw.ts'

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
