import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { reasonOf } from './ending.ts'
import { splitMetadata } from './metadata.ts'
import type { FinishStep } from './raw.ts'

/** The usage, metadata and end of a step. A UI message marks only its end. */
export function finishStep(raw: FinishStep, response: FinishStep['response']): StreamEvent[] {
  const { modelId: model, ...rest } = response ?? {}
  const { reason } = reasonOf(raw)
  const { meta } = splitMetadata(raw.providerMetadata, new Set())
  const metadata: JsonObject = { ...(Object.keys(rest).length > 0 && { response: rest }), ...present({ model }) }
  return [
    ...usageEvents(raw.usage ?? undefined, { scope: 'step', mode: 'snapshot', ...present({ model }) }),
    ...(Object.keys(metadata).length > 0 ? [{ type: 'metadata' as const, metadata }] : []),
    { type: 'step-end', ...present({ reason, meta }) },
  ]
}

/** The warnings of the SDK about settings that it could not apply. */
export function warnings(rawWarnings: readonly Json[] | null | undefined): StreamEvent[] {
  return (rawWarnings ?? []).map((warning) => ({ type: 'status', message: warningText(warning), level: 'warn' }))
}

function warningText(warning: Json): string {
  if (typeof warning === 'string') return warning
  if (!isJsonObject(warning)) return JSON.stringify(warning)
  const { message, ...rest } = warning
  return typeof message === 'string' && Object.keys(rest).length <= 1 ? message : JSON.stringify(warning)
}

/** Usage in the shape of any version of the SDK. Returns no event if it has no counts. */
export function usageEvents(
  usage: Json | undefined,
  fields: Pick<EventOf<'usage'>, 'scope' | 'mode'> & { readonly model?: string },
): StreamEvent[] {
  if (!isJsonObject(usage)) return []
  const input = detailsOf(usage.inputTokens)
  const output = detailsOf(usage.outputTokens)
  const inputDetails = detailsOf(usage.inputTokenDetails)
  const outputDetails = detailsOf(usage.outputTokenDetails)
  const counts = present({
    inputTokens: count(usage.inputTokens, input.total, usage.promptTokens),
    outputTokens: count(usage.outputTokens, output.total, usage.completionTokens),
    reasoningTokens: count(output.reasoning, outputDetails.reasoningTokens, usage.reasoningTokens),
    cacheReadTokens: count(input.cacheRead, inputDetails.cacheReadTokens, usage.cachedInputTokens),
    cacheWriteTokens: count(input.cacheWrite, inputDetails.cacheWriteTokens),
  })
  return Object.keys(counts).length === 0 ? [] : [{ type: 'usage', ...fields, ...counts }]
}

function detailsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function count(...values: readonly (Json | undefined)[]): number | undefined {
  return values.find((value) => typeof value === 'number')
}
