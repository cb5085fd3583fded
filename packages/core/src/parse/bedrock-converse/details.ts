import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Details, RawUsage } from './raw.ts'

/** Usage, timing and traces: one record holds all of them, so the usage is a complete snapshot. */
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

/** A prompt router names the model that answered only here. */
function routedModel(trace: JsonObject | null | undefined): string | undefined {
  const router = trace?.promptRouter as { readonly invokedModelId?: string } | null | undefined
  return router?.invokedModelId
}

/** Fields of Bedrock that no event has. Returns no `meta` if every field is absent. */
export function keep(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const bedrock = present(fields) as JsonObject
  return Object.keys(bedrock).length === 0 ? {} : { meta: { bedrock } }
}

/** Returns no event if every field is absent or empty: Nova sends empty objects. */
export function metadata(fields: object): StreamEvent[] {
  const filled = Object.entries(present(fields) as JsonObject).filter(([, value]) => !isEmpty(value))
  return filled.length === 0 ? [] : [{ type: 'metadata', metadata: Object.fromEntries(filled) }]
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
