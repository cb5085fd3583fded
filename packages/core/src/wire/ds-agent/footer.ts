import type { UsageCounts } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import { type Draft, draftOf, headOf, ownOf, type Step } from './message.ts'

/** What there is to tell of a step that is over. */
export interface Spent {
  readonly usage: UsageCounts
  /** How long it took, in seconds. */
  readonly duration: number | undefined
  /** What of ours the footer carries beside. */
  readonly own: Fields
}

/** Tokens and time of a step, for people in words and for programs as numbers. */
export function footerOf(step: Step, label: string, { usage, duration, own }: Spent): Draft {
  const head = headOf(step.kind === 'planning' ? 'planning_footer' : 'action_footer', { kind: 'message' }, step)
  const words = [
    label,
    usage.inputTokens === undefined ? [] : `Input tokens: ${grouped(usage.inputTokens)}`,
    usage.outputTokens === undefined ? [] : `Output tokens: ${grouped(usage.outputTokens)}`,
    duration === undefined ? [] : `Duration: ${duration}s`,
  ].flat()
  const timing = duration === undefined ? undefined : { duration }
  return draftOf(head, words.join(' | '), {
    footer_label: label,
    token_usage: tokensOf(usage),
    timing,
    ...ownOf({ ...own, usage: moreThanTokens(usage) }),
  })
}

/** The line between two steps. */
export function separatorOf(step: Step): Draft {
  return draftOf(headOf('separator', { kind: 'message' }, step), '-----', {})
}

/** Counts as the protocol knows them. */
function tokensOf({ inputTokens, outputTokens }: UsageCounts): JsonObject | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}

/** The counts that the protocol has no names for; its own are not said twice. */
function moreThanTokens(usage: UsageCounts): JsonObject | undefined {
  const { inputTokens: _input, outputTokens: _output, durationMs: _duration, ...more } = usage
  return Object.keys(more).length === 0 ? undefined : defined({ ...more })
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
