import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Fields } from '../chunk-fields.ts'

/** What a failure is called where nobody said why. */
const WORDS: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'Cancelled',
}

export interface Result {
  readonly content: Json
  /** What the content alone does not say. */
  readonly own: Fields
}

/** A result is words or parts, and has no sign of failure. */
export function resultOf({ status, output, error }: EventOf<'tool-output'>): Result {
  if (status === 'ok') return contentOf(output)
  const isSilent = output === null || output === ''
  const { content, own } = isSilent ? { content: error ?? WORDS[status], own: { output } } : contentOf(output)
  return { content, own: { ...own, status, error } }
}

function contentOf(output: Json): Result {
  if (typeof output === 'string' || areParts(output)) return { content: output, own: {} }
  return { content: JSON.stringify(output), own: { json: true } }
}

/** Whether an output has the very shape that the client checks for: one that has not would end the stream. */
function areParts(output: Json): boolean {
  return Array.isArray(output) && output.length > 0 && output.every(isPart)
}

const MEDIA: ReadonlySet<Json | undefined> = new Set(['image', 'audio', 'video', 'document'])

function isPart(part: Json): boolean {
  if (!isJsonObject(part)) return false
  const { type, text, source, ...more } = part
  if (Object.keys(more).length > 0) return false
  if (type === 'text') return typeof text === 'string' && source === undefined
  return MEDIA.has(type) && text === undefined && isSource(source)
}

function isSource(source: Json | undefined): boolean {
  if (!isJsonObject(source)) return false
  const { type, value, mimeType, ...more } = source
  if (Object.keys(more).length > 0 || typeof value !== 'string') return false
  return typeof mimeType === 'string' ? type === 'data' || type === 'url' : mimeType === undefined && type === 'url'
}
