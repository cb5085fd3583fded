import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { RawUsage } from './raw.ts'

/** Turns tell what their thread has used in all: what one turn used is the difference. */
export interface ThreadUsage {
  event(total: RawUsage): StreamEvent[]
  /** Another thread begins to count anew. */
  ofThread(threadId: string | undefined): void
}

export function createThreadUsage(): ThreadUsage {
  let before: RawUsage = {}
  let thread: string | undefined
  return {
    event(total) {
      // Counts that fall were not of one thread, whatever it was called.
      const base = grows(before, total) ? before : {}
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
      before = total
      return Object.keys(counts).length === 0 ? [] : [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts }]
    },
    ofThread(threadId) {
      if (threadId !== thread) before = {}
      thread = threadId
    },
  }
}

function grows(before: RawUsage, after: RawUsage): boolean {
  return Object.entries(before).every(([field, count]) => (after[field as keyof RawUsage] ?? 0) >= (count ?? 0))
}
