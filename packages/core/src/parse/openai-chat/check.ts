import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { Chunk } from './raw.ts'

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** An object whose fields, unless absent or `null`, pass these checks. */
function shape(fields: { readonly [field: string]: Check }): Check {
  const rows = Object.entries(fields)
  return (value) =>
    isJsonObject(value) && rows.every(([field, check]) => (value[field] ?? null) === null || check(value[field]))
}

const isObjects = listOf(isJsonObject)
const isCalledFunction = shape({ name: isText, input: isText })
const isCall = shape({ id: isText, index: isNumber, function: isCalledFunction, custom: isCalledFunction })
const isDelta = shape({
  content: (content) => isText(content) || isObjects(content),
  refusal: isText,
  tool_calls: listOf(isCall),
  function_call: isCalledFunction,
  reasoning_details: listOf(shape({ text: isText, summary: isText })),
})
const isChoice = shape({
  index: isNumber,
  finish_reason: isText,
  text: isText,
  logprobs: isJsonObject,
  delta: isDelta,
  message: isDelta,
})

/** Whether every field that carries content has a type that some vendor sends. */
export const isReadable = shape({
  id: isText,
  model: isText,
  usage: isJsonObject,
  x_groq: isJsonObject,
  choices: listOf(isChoice),
}) as (value: unknown) => value is Chunk

const hasAddress: Check = (address) => isText(isJsonObject(address) ? address.url : address)

const plainParts: { readonly [type: string]: (part: JsonObject) => boolean } = {
  text: ({ text }) => isText(text),
  refusal: ({ refusal }) => isText(refusal),
  thinking: ({ thinking }) => isText(thinking) || thinking === undefined || thinking === null || isObjects(thinking),
  image_url: ({ image_url }) => hasAddress(image_url),
  document_url: ({ document_url }) => hasAddress(document_url),
}

/** A part of a type that is not read is kept as `raw` when it is read. */
function isPlainPart(part: JsonObject): boolean {
  const type = String(part.type)
  return !Object.hasOwn(plainParts, type) || plainParts[type]?.(part) === true
}

/** Fields that are read if their value has this type, and skipped otherwise. */
const isPlain = shape({
  content: (content) => isText(content) || listOf((part) => isPlainPart(part as JsonObject))(content),
  audio: isJsonObject,
  executed_tools: isObjects,
  images: listOf((image) => isJsonObject(image) && hasAddress(image.image_url ?? image.url)),
  annotations: isObjects,
  reasoning_content: isText,
  reasoning: isText,
  reasoning_text: isText,
  thinking: isText,
  reasoning_steps: isObjects,
  thinking_blocks: isObjects,
})

/** The fields of a choice that may hold content; `null` counts as present. */
const CONTENT = ['delta', 'message', 'text', 'content_filter_results'] as const

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
