import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { RawUsage } from './raw.ts'

/** Turns report the total usage of their thread. The usage of one turn is the difference. */
export interface ThreadUsage {
  event(total: RawUsage): StreamEvent[]
  /** Another thread counts from zero. */
  startThread(threadId: string | undefined): void
}

export function createThreadUsage(): ThreadUsage {
  let lastTotal: Counts = {}
  let thread: string | undefined
  return {
    event(rawTotal) {
      const total = present(rawTotal)
      // Counts that fall belong to different threads, even if the thread id is the same.
      const base = grows(lastTotal, total) ? lastTotal : {}
      const count = (field: keyof RawUsage) => {
        const value = total[field]
        return typeof value === 'number' ? value - (base[field] ?? 0) : undefined
      }
      const counts = present({
        inputTokens: count('input_tokens'),
        outputTokens: count('output_tokens'),
        reasoningTokens: count('reasoning_output_tokens'),
        cacheReadTokens: count('cached_input_tokens'),
        cacheWriteTokens: count('cache_write_input_tokens'),
      })
      lastTotal = { ...base, ...total }
      return Object.keys(counts).length === 0 ? [] : [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts }]
    },
    startThread(threadId) {
      if (threadId !== thread) lastTotal = {}
      thread = threadId
    },
  }
}

type Counts = { readonly [Field in keyof RawUsage]?: number }

/** A count that is absent has not fallen. */
function grows(lastTotal: Counts, total: Counts): boolean {
  return Object.entries(total).every(([field, count]) => count >= (lastTotal[field as keyof RawUsage] ?? 0))
}
