import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { RawUsage } from './raw.ts'

/** Tokens as they were used; what of them is billed is Cohere's own word. */
export function usageEvents(usage: RawUsage | null | undefined): StreamEvent[] {
  if (!usage) return []
  const { tokens, billed_units: billed, cached_tokens } = usage
  const counts = present({
    inputTokens: tokens?.input_tokens ?? billed?.input_tokens,
    outputTokens: tokens?.output_tokens ?? billed?.output_tokens,
    reasoningTokens: tokens?.reasoning_tokens,
    cacheReadTokens: cached_tokens,
  })
  if (Object.keys(counts).length === 0) return []
  const meta = billed ? { meta: { cohere: { billed_units: billed as { [kind: string]: Json } } } } : {}
  return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...meta }]
}
