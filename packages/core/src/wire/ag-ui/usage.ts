import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal } from '../../meaning/usage-total.ts'
import { chunkOf, defined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'
import { metadataOf, timestampOf } from './chunk.ts'

/** The usage so far, and how much of it was reported: the client adds up the usage at the ends of a stream's runs. */
export interface Usage {
  /** Adds the event; the chunk contains the total so far. */
  add(event: EventOf<'usage'>): Chunk
  nextStep(agentId: string | undefined): void
  /** The usage that no run has reported. It counts as reported afterwards. */
  takeUnreported(): readonly JsonObject[] | undefined
}

/** The protocol's name of each of our counts. It has none for money, time and turns. */
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
  const reported: Partial<Record<keyof typeof TOKENS, number>> = {}

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
    takeUnreported() {
      const total = usage.total() ?? {}
      const counts: Record<string, number> = {}
      for (const count of COUNTS) {
        const more = (total[count] ?? 0) - (reported[count] ?? 0)
        // The client accepts only whole numbers that are not negative.
        if (!Number.isSafeInteger(more) || more <= 0) continue
        counts[TOKENS[count]] = more
        reported[count] = total[count] ?? 0
      }
      const [model] = models
      if (Object.keys(counts).length === 0) return undefined
      return [defined({ model: models.size === 1 ? model : undefined, ...counts })]
    },
  }
}
