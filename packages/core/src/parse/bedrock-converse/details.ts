import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { keep, metadata } from './meta.ts'
import type { Details, RawUsage } from './raw.ts'

/** Usage, timing and traces: all of it stands in one record, so that it is a whole snapshot. */
export function detailEvents(details: Details): StreamEvent[] {
  const { usage, p: _padding, contentBlockIndex: _index, type: _type, ...rest } = details
  return [
    ...usageEvents(usage ?? {}, details.metrics?.latencyMs),
    ...metadata({ ...rest, ...present({ model: routedModel(details.trace) }) }),
  ]
}

function usageEvents(usage: RawUsage, durationMs: number | null | undefined): StreamEvent[] {
  const { outputTokens, cacheDetails } = usage
  const cacheReadTokens = usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount
  const cacheWriteTokens = usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount
  const inputs = [usage.inputTokens, cacheReadTokens, cacheWriteTokens].filter((count) => typeof count === 'number')
  const counts = present({
    inputTokens: inputs.length === 0 ? undefined : inputs.reduce((sum, count) => sum + count, 0),
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    durationMs,
  })
  if (Object.keys(counts).length === 0) return []
  return [
    { type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...keep({ cacheDetails: unlessEmpty(cacheDetails) }) },
  ]
}

const unlessEmpty = (value: Json | undefined) => (Array.isArray(value) && value.length === 0 ? undefined : value)

/** A prompt router says only here which model answered. */
function routedModel(trace: JsonObject | null | undefined): string | undefined {
  const router = trace?.promptRouter as { readonly invokedModelId?: string } | null | undefined
  return router?.invokedModelId
}
