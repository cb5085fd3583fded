import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectOf } from './message.ts'
import { placeOf, type Told } from './told.ts'

export type Counts = { -readonly [Field in keyof UsageCounts]: UsageCounts[Field] }

const FIELDS = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const

/** The counts of chunks add up to their message's. */
export function addUsage(told: Told, usage: JsonObject | undefined): StreamEvent[] {
  if (usage === undefined) return []
  const counts = countsOf(usage)
  for (const field of FIELDS) {
    const count = counts[field]
    if (count !== undefined) told.usage[field] = (told.usage[field] ?? 0) + count
  }
  return usageEvent(told, counts)
}

/** The counts of the message so far: only what was not counted yet is told. */
export function raiseUsage(told: Told, usage: JsonObject | undefined): StreamEvent[] {
  if (usage === undefined) return []
  const total = countsOf(usage)
  const more: Counts = {}
  for (const field of FIELDS) {
    const count = total[field]
    const before = told.usage[field]
    if (count === undefined || (before !== undefined && count <= before)) continue
    more[field] = count - (before ?? 0)
    told.usage[field] = count
  }
  return usageEvent(told, more)
}

function usageEvent(told: Told, counts: UsageCounts): StreamEvent[] {
  if (Object.keys(counts).length === 0) return []
  return [{ type: 'usage', scope: 'step', mode: 'add', ...counts, ...placeOf(told) }]
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
