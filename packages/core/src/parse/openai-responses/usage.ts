import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { openaiMeta } from './metadata.ts'
import type { RawUsage } from './raw.ts'

/** xAI reports its cost in ticks. */
const TICKS_OF_A_DOLLAR = 1e10

/** The counts of one response. Fields without an equivalent are kept as the provider's meta. */
export function usageEvents(usage: RawUsage | null | undefined, model: string | null | undefined): StreamEvent[] {
  if (usage === null || usage === undefined) return []
  const {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: _total,
    input_tokens_details: inputs,
    output_tokens_details: outputs,
    ...rest
  } = usage
  const counts = present({
    inputTokens,
    outputTokens,
    reasoningTokens: outputs?.reasoning_tokens,
    cacheReadTokens: inputs?.cached_tokens,
    cacheWriteTokens: inputs?.cache_write_tokens,
    costUsd: costOf(usage),
  })
  if (Object.keys(counts).length === 0) return []
  return [
    {
      type: 'usage',
      scope: 'step',
      mode: 'snapshot',
      ...counts,
      ...present({ model }),
      ...openaiMeta(rest as { readonly [field: string]: Json }),
    },
  ]
}

function costOf({ cost, cost_in_usd_ticks: ticks }: RawUsage): number | undefined {
  if (typeof cost === 'number') return cost
  if (typeof cost?.total_cost === 'number') return cost.total_cost
  return typeof ticks === 'number' ? ticks / TICKS_OF_A_DOLLAR : undefined
}
