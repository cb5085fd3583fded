import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { mergeUsage, usageEvents } from '../anthropic-messages/details.ts'
import { metadata, ownFields } from './fields.ts'
import type { ResultLine } from './raw.ts'

/** How a turn ended. */
export function endOf(line: ResultLine, isInterrupted: boolean): EventOf<'run-end'> {
  const { stop_reason, terminal_reason, subtype, result, deferred_tool_use } = line
  const isFailed = line.is_error === true || (subtype ?? '').startsWith('error')
  const resultField = present({ result: result === '' ? undefined : result })
  if (isFailed && (isInterrupted || (terminal_reason ?? '').startsWith('aborted')))
    return { type: 'run-end', outcome: 'cancelled', reason: terminal_reason ?? 'interrupted', ...resultField }
  if (isFailed) return { type: 'run-end', outcome: 'error', ...failureFields(line) }
  if (deferred_tool_use !== undefined && deferred_tool_use !== null)
    return { type: 'run-end', outcome: 'awaiting-input', reason: terminal_reason ?? 'tool_deferred', ...resultField }
  return { type: 'run-end', outcome: 'success', ...present({ reason: stop_reason ?? terminal_reason }), ...resultField }
}

const SENTENCES: { readonly [subtype: string]: string } = {
  error_max_turns: 'The turn limit was reached',
  error_max_budget_usd: 'The budget was used up',
  error_max_structured_output_retries: 'No valid structured output was given',
  error_during_execution: 'An error occurred during execution',
}

function failureFields({ subtype, terminal_reason, result, errors, api_error_type }: ResultLine) {
  const code = subtype && subtype !== 'success' ? subtype : api_error_type
  const reportedText = [result, ...(errors ?? [])].filter((text) => typeof text === 'string' && text !== '').join('\n')
  const sentence = subtype && Object.hasOwn(SENTENCES, subtype) ? SENTENCES[subtype] : undefined
  return {
    reason: terminal_reason ?? subtype ?? 'error',
    error: {
      message: reportedText || sentence || 'The agent failed',
      ...(typeof code === 'string' && { code }),
    },
  }
}

/** Fields of a result that are mapped to other events, so that they are not repeated as metadata. */
const MAPPED_FIELDS: ReadonlySet<string> = new Set([
  'usage',
  'total_cost_usd',
  'duration_ms',
  'num_turns',
  'is_error',
  'result',
  'stop_reason',
])

/** The usage and metadata of a turn. Tokens are of this turn, the cost is of the whole process so far. */
export function resultEvents(line: ResultLine, costBefore: number): StreamEvent[] {
  const { usage, total_cost_usd: cost, duration_ms, num_turns } = line
  const [counts] = usageEvents(mergeUsage({}, usage as JsonObject | null | undefined))
  const measured = present({ durationMs: duration_ms, turns: num_turns })
  const figures = Object.entries(ownFields(line)).filter(([field]) => !MAPPED_FIELDS.has(field))
  const events: StreamEvent[] = []
  if (counts !== undefined || Object.keys(measured).length > 0)
    events.push({ ...(counts as EventOf<'usage'> | undefined), type: 'usage', scope: 'run', mode: 'add', ...measured })
  if (typeof cost === 'number')
    events.push({ type: 'usage', scope: 'run', mode: 'snapshot', costUsd: costBefore + cost })
  return [...events, ...metadata(Object.fromEntries(figures))]
}
