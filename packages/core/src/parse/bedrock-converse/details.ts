import { present } from '../../data/present.ts'
import { countsOf, sum, usageEvents } from '../kit/counts.ts'
import { objectIn } from '../kit/fields.ts'
import { isEmpty, keep as keepOf, metadata as metadataOf } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Details } from './raw.ts'

/** Fields of Bedrock that no event has. */
export const keep = (fields: object) => keepOf('bedrock', fields)

export const metadata = (fields: object) => metadataOf(filled(fields))

/** Nova sends empty objects, which are left out. */
function filled(fields: object): object {
  const isFilled = (value: unknown) => typeof value !== 'object' || value === null || !isEmpty(value)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)))
}

/** `inputTokens` excludes cache reads and writes. Nova has other names for the cache counts. */
const SPELLINGS = {
  inputTokens: ['inputTokens'],
  outputTokens: ['outputTokens'],
  cacheReadTokens: ['cacheReadInputTokens', 'cacheReadInputTokenCount'],
  cacheWriteTokens: ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
} as const

/** Usage, timing and traces: one record holds all of them, so the usage is a complete snapshot. */
export function addDetails(out: Out, details: Details): void {
  // Padding hides the length of a record from an eavesdropper.
  const { usage, p: _padding, contentBlockIndex: _index, type: _type, ...rest } = details
  const { inputTokens, ...counts } = countsOf(usage ?? {}, SPELLINGS)
  const measured = present({
    inputTokens: sum(inputTokens, counts.cacheReadTokens, counts.cacheWriteTokens),
    ...counts,
    durationMs: details.metrics?.latencyMs,
  })
  const meta = keep(filled({ cacheDetails: usage?.cacheDetails }))
  out.push(...usageEvents(measured, { scope: 'step', ...meta }))
  // A prompt router names the model that answered only here.
  const model = objectIn(details.trace?.promptRouter).invokedModelId
  out.push(...metadata({ ...rest, ...present({ model }) }))
}
