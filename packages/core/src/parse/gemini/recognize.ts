import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

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
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(
    (candidate: unknown) => isJsonObject(candidate) && OF_CANDIDATE.some((field) => field in candidate),
  )
}

/** Google's errors have a number as the code and a status in capitals. */
function isGoogleError(error: unknown): boolean {
  if (!isJsonObject(error)) return false
  const { code, message, status }: JsonObject = error
  return (
    typeof code === 'number' && typeof message === 'string' && typeof status === 'string' && /^[A-Z_]+$/.test(status)
  )
}
