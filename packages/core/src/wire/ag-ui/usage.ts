import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal } from '../../meaning/usage-total.ts'
import { chunkOf, defined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'
import { metadataOf, timestampOf } from './chunk.ts'

/** What was used, and how much of it the client knows: it adds up what the runs of a stream say at their ends. */
export interface Usage {
  /** Counts it; the chunk says all that was used so far. */
  add(event: EventOf<'usage'>): Chunk
  nextStep(agentId: string | undefined): void
  /** What no run has said yet. */
  untold(): readonly JsonObject[] | undefined
}

/** Our counts by the protocol's. It has none for money, time and turns. */
const TOKENS = {
  inputTokens: 'inputTokens',
  outputTokens: 'outputTokens',
  reasoningTokens: 'reasoningTokens',
  cacheReadTokens: 'cachedInputTokens',
  cacheWriteTokens: 'cacheWriteInputTokens',
} as const

const COUNTS = Object.keys(TOKENS) as readonly (keyof typeof TOKENS)[]

export function createUsage(): Usage {
  const usage = createUsageTotal()
  const models = new Set<string>()
  const told: Partial<Record<keyof typeof TOKENS, number>> = {}

  return {
    add(event) {
      usage.add(event)
      if (event.model !== undefined) models.add(event.model)
      const { type, model, sentAt, meta } = event
      const value = defined({ scope: 'run', mode: 'snapshot', model, ...usage.total() })
      const metadata = metadataOf({}, meta)
      return chunkOf('CUSTOM', { timestamp: timestampOf(sentAt), name: `millrace.${type}`, value, metadata })
    },
    nextStep: usage.nextStep,
    untold() {
      const total = usage.total() ?? {}
      const counts: Record<string, number> = {}
      for (const count of COUNTS) {
        const more = (total[count] ?? 0) - (told[count] ?? 0)
        // The client takes nothing but whole numbers that are not below zero.
        if (!Number.isSafeInteger(more) || more <= 0) continue
        counts[TOKENS[count]] = more
        told[count] = total[count] ?? 0
      }
      const [model] = models
      if (Object.keys(counts).length === 0) return undefined
      return [defined({ model: models.size === 1 ? model : undefined, ...counts })]
    },
  }
}
