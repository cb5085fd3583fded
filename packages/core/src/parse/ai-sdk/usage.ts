import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** Usage in any of the shapes that versions of the SDK have had; nothing where it counts nothing. */
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
