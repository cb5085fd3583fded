import { ApiError } from '@millrace/core/api'
import { isJsonObject, type JsonObject } from '@millrace/core/json'

/** The most that a client may send beside a message, in characters of JSON: it is logged with every message. */
const MOST_CHARACTERS = 1024 * 1024

/** What a client sent beside its message; undefined if that is nothing. Throws 413 if it is too much for the log. */
export function clientContext(fields: JsonObject | { readonly [name: string]: unknown }): JsonObject | undefined {
  const sent = Object.entries(fields).filter(([, value]) => !isNothing(value))
  if (sent.length === 0) return undefined
  const size = JSON.stringify(sent).length
  if (size > MOST_CHARACTERS) {
    const names = sent.map(([name]) => name).join(', ')
    const sentence = `What the client sends beside the message (${names}) has ${size} characters of JSON: at most ${MOST_CHARACTERS} are logged with a message.`
    throw new ApiError(413, 'client-too-large', sentence)
  }
  return Object.fromEntries(sent) as JsonObject
}

/** Clients send these for fields that nobody has set. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}
