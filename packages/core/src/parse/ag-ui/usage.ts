import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { TokenUsage } from './raw.ts'

/** The usage per model, sent at the end of a run. The runs of one stream add up. */
export function usageEvents(usage: readonly TokenUsage[] | undefined): StreamEvent[] {
  return (usage ?? []).flatMap((modelUsage) => {
    const { model, inputTokens, outputTokens, reasoningTokens, cachedInputTokens, cacheWriteInputTokens } = modelUsage
    const counts = present({
      inputTokens,
      outputTokens,
      reasoningTokens,
      cacheReadTokens: cachedInputTokens,
      cacheWriteTokens: cacheWriteInputTokens,
    })
    if (Object.keys(counts).length === 0) return []
    return [{ type: 'usage' as const, scope: 'run' as const, mode: 'add' as const, ...counts, ...present({ model }) }]
  })
}

/** The usage record that servers sent before `RUN_FINISHED` could carry usage, in any spelling. */
export function usageRecord(raw: { readonly [count: string]: unknown }): StreamEvent[] {
  const count = (...names: readonly string[]) =>
    names.map((name) => raw[name]).find((value) => typeof value === 'number')
  const { model } = raw
  return usageEvents([
    present({
      model: typeof model === 'string' ? model : undefined,
      inputTokens: count('input_tokens', 'inputTokens', 'prompt_tokens', 'promptTokens'),
      outputTokens: count('output_tokens', 'outputTokens', 'completion_tokens', 'completionTokens'),
      reasoningTokens: count('reasoning_tokens', 'reasoningTokens'),
      cachedInputTokens: count('cached_input_tokens', 'cachedInputTokens', 'cache_read_tokens', 'cacheReadTokens'),
      cacheWriteInputTokens: count('cache_write_input_tokens', 'cacheWriteInputTokens', 'cache_write_tokens'),
    }),
  ])
}
