import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { reasonOf } from './ending.ts'
import { splitMetadata } from './metadata.ts'
import type { FinishStep } from './raw.ts'
import { usageEvents } from './usage.ts'

/** What is known of a step once it is over. A UI message says no more than that it is. */
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

/** What the SDK says it could not do as it was asked. */
export function warnings(rawWarnings: readonly Json[] | null | undefined): StreamEvent[] {
  return (rawWarnings ?? []).map((warning) => ({ type: 'status', message: warningText(warning), level: 'warn' }))
}

function warningText(warning: Json): string {
  if (typeof warning === 'string') return warning
  if (!isJsonObject(warning)) return JSON.stringify(warning)
  const { message, ...rest } = warning
  return typeof message === 'string' && Object.keys(rest).length <= 1 ? message : JSON.stringify(warning)
}
