import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Fields } from '../chunk-fields.ts'

/** The content of a failure that has no output and no error. */
const DEFAULT_MESSAGES: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'Cancelled',
}

export interface Result {
  readonly content: Json
  /** What the content alone does not express. */
  readonly extra: Fields
}

/** A result of the protocol is text or parts, and has no field for a failure. */
export function resultOf({ status, output, error }: EventOf<'tool-output'>): Result {
  if (status === 'ok') return contentOf(output)
  const isEmpty = output === null || output === ''
  const { content, extra } = isEmpty
    ? { content: error ?? DEFAULT_MESSAGES[status], extra: { output } }
    : contentOf(output)
  return { content, extra: { ...extra, status, error } }
}

function contentOf(output: Json): Result {
  if (typeof output === 'string' || areParts(output)) return { content: output, extra: {} }
  return { content: JSON.stringify(output), extra: { json: true } }
}

/** Whether an output has exactly the shape that the client checks for. Any other shape would end the stream. */
function areParts(output: Json): boolean {
  return Array.isArray(output) && output.length > 0 && output.every(isPart)
}

const MEDIA: ReadonlySet<Json | undefined> = new Set(['image', 'audio', 'video', 'document'])

function isPart(part: Json): boolean {
  if (!isJsonObject(part)) return false
  const { type, text, source, ...otherFields } = part
  if (Object.keys(otherFields).length > 0) return false
  if (type === 'text') return typeof text === 'string' && source === undefined
  return MEDIA.has(type) && text === undefined && isSource(source)
}

function isSource(source: Json | undefined): boolean {
  if (!isJsonObject(source)) return false
  const { type, value, mimeType, ...otherFields } = source
  if (Object.keys(otherFields).length > 0 || typeof value !== 'string') return false
  return typeof mimeType === 'string' ? type === 'data' || type === 'url' : mimeType === undefined && type === 'url'
}
