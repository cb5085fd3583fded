import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { RawUsage } from './raw.ts'

/** The usage of a turn. Each kind of token is counted separately. */
export function usageEvents(usage: RawUsage | null | undefined): StreamEvent[] {
  const { inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } = usage ?? {}
  const counts = present({
    inputTokens: sum(inputTokens, cachedReadTokens, cachedWriteTokens),
    outputTokens: sum(outputTokens, thoughtTokens),
    reasoningTokens: thoughtTokens,
    cacheReadTokens: cachedReadTokens,
    cacheWriteTokens: cachedWriteTokens,
  })
  if (Object.keys(counts).length === 0) return []
  return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts }]
}

export interface ContextUse {
  readonly used?: number
  readonly size?: number
  readonly cost?: { readonly amount?: number; readonly currency?: string } | null
}

/** The size of the context and the cost of the session. */
export function contextEvents({ used, size, cost }: ContextUse): StreamEvent[] {
  const isDollars = cost?.currency === 'USD' && typeof cost.amount === 'number'
  const costEvents: StreamEvent[] = isDollars
    ? [{ type: 'usage', scope: 'run', mode: 'snapshot', costUsd: cost.amount as number }]
    : []
  const metadata = present({ context: present({ used, size }), cost: isDollars ? undefined : cost })
  return [{ type: 'metadata', metadata: metadata as never }, ...costEvents]
}

function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const numbers = counts.filter((count) => typeof count === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((total, count) => total + count, 0)
}
