import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { countsOf, usageEvents as eventsOf, keepUncounted, sum } from '../kit/counts.ts'
import { keep as keepOf } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Caller, Details, RawUsage } from './raw.ts'

/** Fields that Anthropic requires back with the next request. */
export const keep = (fields: object) => keepOf('anthropic', fields)

/** A caller other than the model itself. */
export function indirectCaller(caller: Caller | null | undefined): Json | undefined {
  return caller === null || caller === undefined || caller.type === 'direct' ? undefined : caller
}

/** Later counts overwrite earlier ones; a count that is absent or `null` stays. */
export function mergeUsage(before: RawUsage, later: RawUsage | null | undefined): RawUsage {
  return later === null || later === undefined ? before : { ...before, ...present(later) }
}

const SPELLINGS = {
  outputTokens: ['output_tokens'],
  reasoningTokens: [['output_tokens_details', 'thinking_tokens']],
  cacheReadTokens: ['cache_read_input_tokens'],
  cacheWriteTokens: ['cache_creation_input_tokens'],
} as const

/** The whole usage of the message so far: each event is a complete snapshot. */
export function usageEvents(usage: RawUsage): EventOf<'usage'>[] {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage
  const inputTokens = sum(input_tokens, cache_creation_input_tokens, cache_read_input_tokens)
  const counts = { ...present({ inputTokens }), ...countsOf(usage, SPELLINGS) }
  return eventsOf(counts, { scope: 'step', ...keepUncounted('anthropic', usage, SPELLINGS, ['input_tokens']) })
}

/** The fields of a message beside its content and its stop reason. */
const DETAILS = [
  ...namesIn('stop_sequence stop_details container context_management input_transformations diagnostics'),
]

export function detailsOf(message: Details): object {
  return Object.fromEntries(DETAILS.map((field) => [field, message[field]]))
}

/** Whether one of the details is present, even as `null`: such a change of a message is understood. */
export function changesDetail(details: Details): boolean {
  return details.stop_reason !== undefined || DETAILS.some((field) => details[field] !== undefined)
}
