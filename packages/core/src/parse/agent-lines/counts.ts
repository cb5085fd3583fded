import type { UsageCounts } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

type Path = readonly [field: string, inside?: string]

/** The fields in which the dialects hold each count, in the order of precedence. */
const spellings: { readonly [Count in keyof UsageCounts]-?: readonly Path[] } = {
  inputTokens: [
    ['input_tokens'],
    ['prompt_tokens'],
    ['promptTokenCount'],
    ['prompt_token_count'],
    ['inputTokens'],
    ['promptTokens'],
  ],
  outputTokens: [
    ['output_tokens'],
    ['completion_tokens'],
    ['candidatesTokenCount'],
    ['candidates_token_count'],
    ['outputTokens'],
    ['completionTokens'],
  ],
  reasoningTokens: [
    ['reasoning_tokens'],
    ['thoughtsTokenCount'],
    ['thoughts_token_count'],
    ['reasoningTokens'],
    ['completion_tokens_details', 'reasoning_tokens'],
    ['output_tokens_details', 'reasoning_tokens'],
  ],
  cacheReadTokens: [
    ['cached_tokens'],
    ['cache_read_input_tokens'],
    ['cachedContentTokenCount'],
    ['cached_content_token_count'],
    ['cacheReadTokens'],
    ['prompt_tokens_details', 'cached_tokens'],
    ['input_tokens_details', 'cached_tokens'],
  ],
  cacheWriteTokens: [['cache_creation_input_tokens'], ['cacheWriteTokens']],
  costUsd: [['total_cost_usd'], ['cost_usd'], ['costUsd']],
  durationMs: [['duration_ms'], ['durationMs']],
  turns: [['num_turns'], ['turns']],
}

/** The counts of an object in any dialect. Returns undefined if there are none. */
export function countsOf(usage: Json | undefined): UsageCounts | undefined {
  if (!isJsonObject(usage)) return undefined
  const counts = Object.entries(spellings).flatMap(([count, paths]) => {
    const found = paths.map((path) => valueAt(usage, path)).find((value) => typeof value === 'number')
    return found === undefined ? [] : [[count, found]]
  })
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

function valueAt(usage: JsonObject, [field, inside]: Path): Json | undefined {
  const value = usage[field]
  if (inside === undefined) return value
  return isJsonObject(value) ? value[inside] : undefined
}
