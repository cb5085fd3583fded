import type { Message, Notification } from './raw.ts'

type Fields = { readonly [field: string]: unknown }

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where those who keep a log of a connection put the message itself. */
const WRAPPERS = ['message', 'msg', 'payload', 'data'] as const

/** A record as a JSON-RPC message: of a log's line, or of an update without its envelope. */
export function open(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined
  if (isMessage(value)) return value
  for (const key of WRAPPERS) {
    const inner = value[key]
    const message = isObject(inner) ? (isMessage(inner) ? inner : updateOf(inner)) : undefined
    if (message !== undefined) return message as Message
  }
  return updateOf(value)
}

function updateOf(value: Fields): Message | undefined {
  const notification = notificationOf(value)
  return notification === undefined ? undefined : { method: 'session/update', params: notification as never }
}

/** Logs leave out what every message says. */
function isMessage(value: Fields): boolean {
  if (value.jsonrpc !== '2.0') return value.method === 'session/update' && isObject(value.params)
  return typeof value.method === 'string' || 'result' in value || isObject(value.error)
}

/** `{sessionId, update}`, or the update alone, which may say itself whose it is. */
export function notificationOf(value: Fields): Notification | undefined {
  if (isObject(value.update) && typeof value.update.sessionUpdate === 'string') return value as unknown as Notification
  if (typeof value.sessionUpdate !== 'string') return undefined
  const { sessionId, ...update } = value
  return { ...(typeof sessionId === 'string' && { sessionId }), update: update as never }
}
