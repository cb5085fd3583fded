import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Tokens } from './raw.ts'
import type { EventScope } from './sessions.ts'

export function usageEvents(tokens: Tokens | null | undefined, cost: number | null | undefined, scope: EventScope) {
  const { input, output, reasoning, cache } = tokens ?? {}
  const counts = present({
    inputTokens: sum(input, cache?.read, cache?.write),
    outputTokens: sum(output, reasoning),
    reasoningTokens: reasoning,
    cacheReadTokens: cache?.read,
    cacheWriteTokens: cache?.write,
    costUsd: cost,
  })
  const event: StreamEvent = { ...scope, type: 'usage', scope: 'step', mode: 'snapshot', ...counts }
  return Object.keys(counts).length === 0 ? [] : [event]
}

function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const numbers = counts.filter((count) => typeof count === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((total, count) => total + count, 0)
}
