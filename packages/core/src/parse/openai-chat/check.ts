import { isJsonObject, isText } from '../../json.ts'
import type { Chunk, Delta, Part } from './raw.ts'

type Check = (value: unknown) => boolean

/** Whether every field that carries content has a type that some vendor sends. */
export function isReadable(value: unknown): value is Chunk {
  if (!isJsonObject(value)) return false
  const { id, model, usage, x_groq, choices } = value
  const areOwnFieldsReadable = optional(id, isText) && optional(model, isText)
  return (
    areOwnFieldsReadable && optional(usage, isJsonObject) && optional(x_groq, isJsonObject) && listOf(choices, isChoice)
  )
}

const isNumber: Check = (value) => typeof value === 'number'

function isChoice(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { index, finish_reason, text, logprobs, delta, message } = value
  const areOwnFieldsReadable = optional(index, isNumber) && optional(finish_reason, isText) && optional(text, isText)
  return (
    areOwnFieldsReadable && optional(logprobs, isJsonObject) && optional(delta, isDelta) && optional(message, isDelta)
  )
}

function isDelta(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { content, refusal, tool_calls, function_call, reasoning_details } = value
  const isContentReadable = isText(content) || listOf(content, isJsonObject)
  const areCallsReadable = listOf(tool_calls, isCall) && optional(function_call, isCalledFunction)
  return isContentReadable && areCallsReadable && optional(refusal, isText) && listOf(reasoning_details, isJsonObject)
}

/**
 * Whether a chunk that gave no event may still hold content: of a type that is skipped when other content accompanies
 * it, or in a choice without any of the fields for content.
 */
export function hasOddContent({ choices }: Chunk): boolean {
  return (choices ?? []).some((choice) => {
    const { delta, message, finish_reason } = choice
    if (!CONTENT.some((field) => choice[field] !== undefined) && !finish_reason) return true
    return [delta, message].some((body) => body && !isPlain(body))
  })
}

/** The fields of a choice that may hold content; `null` counts as present. */
const CONTENT = ['delta', 'message', 'text', 'content_filter_results'] as const

const isObjects: Check = (value) => listOf(value, isJsonObject)

/** Fields that are read if their value has this type, and skipped otherwise. */
const plainKinds: { readonly [field: string]: Check } = {
  audio: isJsonObject,
  executed_tools: isObjects,
  images: (value) => listOf(value, (image) => isJsonObject(image) && hasAddress(image.image_url ?? image.url)),
  annotations: isObjects,
  reasoning_content: isText,
  reasoning: isText,
  reasoning_text: isText,
  thinking: isText,
  reasoning_steps: isObjects,
  thinking_blocks: isObjects,
}

const plainParts: { readonly [type: string]: (part: Part) => boolean } = {
  text: ({ text }) => isText(text),
  refusal: ({ refusal }) => isText(refusal),
  thinking: ({ thinking }) => isText(thinking) || isObjects(thinking),
  image_url: ({ image_url }) => hasAddress(image_url),
  document_url: ({ document_url }) => hasAddress(document_url),
}

function isPlain(delta: Delta): boolean {
  const { content } = delta
  const parts = typeof content === 'string' ? [] : (content ?? [])
  return (
    Object.entries(plainParts).every(([type, check]) => parts.every((part) => part.type !== type || check(part))) &&
    Object.entries(plainKinds).every(([field, check]) => optional(delta[field], check))
  )
}

function hasAddress(address: unknown): boolean {
  return isText(isJsonObject(address) ? address.url : address)
}

function isCall(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, index, function: called, custom } = value
  const areOwnFieldsReadable = optional(id, isText) && optional(index, isNumber)
  return areOwnFieldsReadable && optional(called, isCalledFunction) && optional(custom, isCalledFunction)
}

function isCalledFunction(value: unknown): boolean {
  return isJsonObject(value) && optional(value.name, isText) && optional(value.input, isText)
}

function optional(value: unknown, check: Check): boolean {
  return value === null || value === undefined || check(value)
}

function listOf(value: unknown, check: Check): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.every(check))
}
