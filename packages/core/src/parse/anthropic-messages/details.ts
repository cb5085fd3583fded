import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Caller, RawUsage } from './raw.ts'

/** Fields that Anthropic requires back with the next request. Returns no `meta` if every field is absent. */
export function keep(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const anthropic = present(fields) as { readonly [field: string]: Json }
  return Object.keys(anthropic).length === 0 ? {} : { meta: { anthropic } }
}

/** A caller other than the model itself. */
export function indirectCaller(caller: Caller | null | undefined): Json | undefined {
  return caller === null || caller === undefined || caller.type === 'direct' ? undefined : caller
}

export function metadata(fields: object): StreamEvent[] {
  const kept = present(fields) as JsonObject
  return Object.keys(kept).length === 0 ? [] : [{ type: 'metadata', metadata: kept }]
}

/** Later counts overwrite earlier ones; a count that is absent or `null` stays. */
export function mergeUsage(before: RawUsage, later: RawUsage | null | undefined): RawUsage {
  return later === null || later === undefined ? before : { ...before, ...present(later) }
}

/** The whole usage of the message so far: each event is a complete snapshot. */
export function usageEvents(usage: RawUsage): StreamEvent[] {
  const {
    input_tokens: uncached,
    output_tokens: outputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens_details: details,
    ...rest
  } = usage
  const inputs = [uncached, cacheWriteTokens, cacheReadTokens].filter((count) => typeof count === 'number')
  const counts = present({
    inputTokens: inputs.length === 0 ? undefined : inputs.reduce((sum, count) => sum + count, 0),
    outputTokens,
    reasoningTokens: details?.thinking_tokens,
    cacheReadTokens,
    cacheWriteTokens,
  })
  if (Object.keys(counts).length === 0) return []
  return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...keep(rest) }]
}
