import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from './meta.ts'
import type { RawUsage } from './raw.ts'

/** Later counts overwrite earlier ones; a count that is left out or `null` stands. */
export function mergeUsage(before: RawUsage, later: RawUsage | null | undefined): RawUsage {
  return later === null || later === undefined ? before : { ...before, ...present(later) }
}

/** All that is known of the message's usage, so that each event is a whole snapshot. */
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
