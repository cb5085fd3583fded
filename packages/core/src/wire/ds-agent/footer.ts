import type { UsageCounts } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { defined, type Fields, underMillrace } from '../chunk-fields.ts'
import { type Draft, draftOf, headOf, type Step } from './message.ts'

/** The usage and duration of a step that has ended. */
export interface Spent {
  readonly usage: UsageCounts
  /** In seconds. */
  readonly duration: number | undefined
  /** The extra fields of the footer. */
  readonly extra: Fields
}

/** The tokens and duration of a step, as text for people and as numbers for programs. */
export function footerOf(step: Step, label: string, { usage, duration, extra }: Spent): Draft {
  const head = headOf(step.kind === 'planning' ? 'planning_footer' : 'action_footer', { kind: 'message' }, step)
  const parts = [
    label,
    usage.inputTokens === undefined ? [] : `Input tokens: ${grouped(usage.inputTokens)}`,
    usage.outputTokens === undefined ? [] : `Output tokens: ${grouped(usage.outputTokens)}`,
    duration === undefined ? [] : `Duration: ${duration}s`,
  ].flat()
  const timing = duration === undefined ? undefined : { duration }
  return draftOf(head, parts.join(' | '), {
    footer_label: label,
    token_usage: tokensOf(usage),
    timing,
    ...underMillrace({ ...extra, usage: moreThanTokens(usage) }),
  })
}

/** The line between two steps. */
export function separatorOf(step: Step): Draft {
  return draftOf(headOf('separator', { kind: 'message' }, step), '-----', {})
}

/** The counts under the protocol's names. */
function tokensOf({ inputTokens, outputTokens }: UsageCounts): JsonObject | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}

/** The counts that the protocol has no names for. */
function moreThanTokens(usage: UsageCounts): JsonObject | undefined {
  const { inputTokens: _input, outputTokens: _output, durationMs: _duration, ...more } = usage
  return Object.keys(more).length === 0 ? undefined : defined({ ...more })
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
