import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Chunk, RawUsage } from './raw.ts'

/** xAI reports its cost in ticks: this many are a dollar. */
const TICKS_PER_DOLLAR = 1e10

/** The usage of the response in a chunk: in its own field, or in Groq's. */
export function usageIn({ usage, x_groq, cost }: Chunk): RawUsage | undefined {
  const rawUsage = usage ?? x_groq?.usage
  if (!isJsonObject(rawUsage)) return undefined
  return dollars(cost) === undefined ? rawUsage : { ...rawUsage, cost: cost as Json }
}

/** Later counts replace earlier ones. An absent or `null` count keeps its value; zeros after counts are ignored. */
export function mergeUsage(before: RawUsage | undefined, later: RawUsage): RawUsage {
  if (before === undefined) return present(later) as RawUsage
  const isNothing = !isCount(later) && isCount(before)
  return isNothing ? before : { ...before, ...(present(later) as RawUsage) }
}

/** Whether one of the two counts that every vendor has is above zero. */
function isCount({ prompt_tokens, completion_tokens }: RawUsage): boolean {
  return Boolean(prompt_tokens || completion_tokens)
}

export function usageEvent(usage: RawUsage, messageId: string): StreamEvent | undefined {
  const counts = countsOf(usage)
  if (Object.keys(counts).length === 0) return undefined
  const rest: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(usage))
    if (!COUNTED.has(field) && value !== undefined && value !== null) rest[field] = value
  const meta = Object.keys(rest).length === 0 ? {} : { meta: { openai: rest as JsonObject } }
  return { type: 'usage', scope: 'step', mode: 'snapshot', messageId, ...counts, ...meta }
}

/** Fields that are read as counts. */
const COUNTED: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
  'cost',
  'cost_in_usd_ticks',
  'reasoning_tokens',
  'cached_tokens',
  'prompt_cache_hit_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
])

/** Each vendor has its own fields for cache reads, cache writes and reasoning tokens. */
function countsOf(usage: RawUsage): UsageCounts {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage
  return present({
    inputTokens: firstNumber(usage.prompt_tokens),
    outputTokens: firstNumber(usage.completion_tokens),
    reasoningTokens: firstNumber(completion?.reasoning_tokens, usage.reasoning_tokens),
    cacheReadTokens: firstNumber(
      prompt?.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cache_read_input_tokens,
      usage.cached_tokens,
    ),
    cacheWriteTokens: firstNumber(prompt?.cache_write_tokens, usage.cache_creation_input_tokens),
    costUsd: dollars(usage.cost) ?? ticks(usage.cost_in_usd_ticks),
  })
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number' && Number.isFinite(value))
}

function dollars(cost: unknown): number | undefined {
  return isJsonObject(cost) ? firstNumber(cost.usd, cost.total_cost) : firstNumber(cost)
}

function ticks(count: unknown): number | undefined {
  return typeof count === 'number' ? count / TICKS_PER_DOLLAR : undefined
}
