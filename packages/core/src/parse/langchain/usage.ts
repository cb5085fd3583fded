import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { type EmittedMessage, eventScopeOf } from './emitted-message.ts'
import { objectOf } from './message.ts'

export type Counts = { -readonly [Field in keyof UsageCounts]: UsageCounts[Field] }

const FIELDS = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const

/** Adds the counts of a chunk to those of its message. */
export function addUsage(emitted: EmittedMessage, usage: JsonObject | undefined): StreamEvent[] {
  if (usage === undefined) return []
  const counts = countsOf(usage)
  for (const field of FIELDS) {
    const count = counts[field]
    if (count !== undefined) emitted.usage[field] = (emitted.usage[field] ?? 0) + count
  }
  return usageEvent(emitted, counts)
}

/** Raises the counts to those of the whole message. Only what was not counted yet is emitted. */
export function raiseUsage(emitted: EmittedMessage, usage: JsonObject | undefined): StreamEvent[] {
  if (usage === undefined) return []
  const total = countsOf(usage)
  const more: Counts = {}
  for (const field of FIELDS) {
    const count = total[field]
    const before = emitted.usage[field]
    if (count === undefined || (before !== undefined && count <= before)) continue
    more[field] = count - (before ?? 0)
    emitted.usage[field] = count
  }
  return usageEvent(emitted, more)
}

function usageEvent(emitted: EmittedMessage, counts: UsageCounts): StreamEvent[] {
  if (Object.keys(counts).length === 0) return []
  return [{ type: 'usage', scope: 'step', mode: 'add', ...counts, ...eventScopeOf(emitted) }]
}

function countsOf(usage: JsonObject): UsageCounts {
  const input = objectOf(usage.input_token_details)
  return present({
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    reasoningTokens: count(objectOf(usage.output_token_details).reasoning),
    cacheReadTokens: count(input.cache_read),
    cacheWriteTokens: count(input.cache_creation),
  })
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
