import { present } from '../../data/present.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Recognition } from '../parser.ts'
import { countsIn } from './google.ts'
import type { Chunk, RawUsage } from './raw.ts'

/** A chunk, and the other fields of the envelope around it. */
export interface WrappedChunk {
  readonly chunk: Chunk
  readonly envelope: JsonObject
}

/** Fields whose keys are not Gemini's: they stay as they are. */
const OPAQUE: ReadonlySet<string> = new Set(['args', 'response', 'sdkHttpResponse'])

/** The chunks of one value: one alone, one in an envelope, or several in an array. Undefined for any other value. */
export function chunksOf(value: unknown): readonly WrappedChunk[] | undefined {
  const chunks = (Array.isArray(value) ? value : [value]).map(wrappedOf)
  return chunks.length > 0 && chunks.every((chunk) => chunk !== undefined) ? chunks : undefined
}

/** Whether a value has the fields of a response, in either spelling. */
export function looksLikeResponse(value: Chunk | JsonObject): boolean {
  return (
    areCandidates(value.candidates) ||
    isJsonObject(value.usageMetadata ?? value.usage_metadata) ||
    isJsonObject(value.promptFeedback ?? value.prompt_feedback) ||
    typeof (value.responseId ?? value.response_id) === 'string'
  )
}

/** The counts of a usage, and its other fields. */
export function usageOf(raw: RawUsage) {
  const {
    promptTokenCount: prompt,
    candidatesTokenCount: answer,
    thoughtsTokenCount: thoughts,
    cachedContentTokenCount: cached,
    ...otherFields
  } = raw
  return { counts: countsIn(prompt, raw.toolUsePromptTokenCount, answer, thoughts, cached), otherFields }
}

/** Whether a response without events is understood: each candidate has a field, and usage has a known count. */
export function isPlain({ candidates, usageMetadata, responseId }: Chunk): boolean {
  const isCounted = !usageMetadata || !isEmpty(usageOf(usageMetadata).counts)
  const hasContent = (candidates ?? []).every(({ index: _index, ...fields }) => !isEmpty(present(fields)))
  return isCounted && hasContent && Boolean(candidates ?? usageMetadata ?? responseId)
}

function wrappedOf(value: unknown): WrappedChunk | undefined {
  if (!isJsonObject(value)) return undefined
  const { response, ...envelope } = value
  const isWrapped = isJsonObject(response) && looksLikeResponse(response)
  const chunk = chunkOf(isWrapped ? response : value)
  return chunk === undefined ? undefined : { chunk, envelope: isWrapped ? envelope : {} }
}

function chunkOf(value: JsonObject): Chunk | undefined {
  if (!looksLikeResponse(value) && !isJsonObject(value.error) && typeof value.error !== 'string') return undefined
  const chunk = isSnakeCased(value) ? (camelCased(value) as JsonObject) : value
  const { candidates } = chunk
  if (candidates !== undefined && candidates !== null && !areCandidates(candidates)) return undefined
  return chunk as Chunk
}

function areCandidates(value: unknown): boolean {
  return Array.isArray(value) && value.every((candidate) => isJsonObject(candidate) && isContent(candidate.content))
}

function isContent(content: unknown): boolean {
  if (content === null || content === undefined) return true
  if (!isJsonObject(content)) return false
  const { parts } = content
  return parts === null || parts === undefined || (Array.isArray(parts) && parts.every(isJsonObject))
}

/** Whether a chunk is in snake case, as Python writes all of its fields. Most chunks have one of the fields that tell. */
function isSnakeCased(chunk: JsonObject): boolean {
  if ('usageMetadata' in chunk || 'modelVersion' in chunk) return false
  if (hasUnderscore(chunk)) return true
  const candidates = (chunk as Chunk).candidates ?? []
  return candidates.some((one) => hasUnderscore(one) || (one.content?.parts ?? []).some(hasUnderscore))
}

function hasUnderscore(fields: object): boolean {
  for (const field in fields) if (field.includes('_')) return true
  return false
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const name = field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
      return [name, OPAQUE.has(name) ? inner : camelCased(inner)]
    }),
  )
}

/** Fields of a candidate. Other formats have lists of candidates too. */
const OF_CANDIDATE = [
  'content',
  'finishReason',
  'finish_reason',
  'safetyRatings',
  'safety_ratings',
  'groundingMetadata',
]

export function recognize({ value }: RawRecord): Recognition | undefined {
  const certainty = certaintyOf(Array.isArray(value) && value.length > 0 ? value[0] : value)
  return certainty === 0 ? undefined : { certainty, reason: 'a record is a Gemini response' }
}

function certaintyOf(value: unknown): number {
  if (!isJsonObject(value) || typeof value.type === 'string' || typeof value.event_type === 'string') return 0
  if (isJsonObject(value.response)) return 0.95 * certaintyOf(value.response)
  if (isCandidates(value.candidates)) return 1
  if (isJsonObject(value.promptFeedback ?? value.prompt_feedback)) return 0.9
  const isNamed = typeof (value.responseId ?? value.modelVersion ?? value.model_version) === 'string'
  if (isJsonObject(value.usageMetadata ?? value.usage_metadata) && isNamed) return 0.9
  return isGoogleError(value.error) ? 0.6 : 0
}

function isCandidates(value: unknown): boolean {
  const candidates = Array.isArray(value) ? value : []
  const isCandidate = (one: unknown) => isJsonObject(one) && OF_CANDIDATE.some((field) => field in one)
  return candidates.length > 0 && candidates.every(isCandidate)
}

/** Google's errors have a number as the code and a status in capitals. */
function isGoogleError(error: unknown): boolean {
  const { code, message, status } = objectIn(error)
  return typeof code === 'number' && typeof message === 'string' && /^[A-Z_]+$/.test(textIn(status) ?? '')
}
