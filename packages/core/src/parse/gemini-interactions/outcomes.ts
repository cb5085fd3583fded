import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { countsIn } from '../gemini/google.ts'
import { usageEvents } from '../kit/counts.ts'
import { keep } from '../kit/keep.ts'
import type { RawError, RawUsage } from './raw.ts'

/** The outcome of a run by the interaction's last status. Any other status means that it is under way. */
const outcomes: ReadonlyMap<string, EventOf<'run-end'>['outcome']> = new Map([
  ['completed', 'success'],
  ['incomplete', 'success'],
  ['requires_action', 'awaiting-input'],
  ['requires_continuation', 'interrupted'],
  ['failed', 'error'],
  ['budget_exceeded', 'error'],
  ['cancelled', 'cancelled'],
] as const)

/** Statuses that are shown. Others are visible from the events themselves. */
export const statusLines: ReadonlyMap<string, EventOf<'status'>> = new Map([
  ['queued', { type: 'status', message: 'Waiting in the queue', level: 'info' }],
  ['requires_continuation', { type: 'status', message: 'The interaction must be continued', level: 'warn' }],
  ['budget_exceeded', { type: 'status', message: 'The budget is used up', level: 'error' }],
])

/** The run's end by the last status; undefined while the interaction is under way. */
export function runEnd(status = '', failure?: RunError): EventOf<'run-end'> | undefined {
  const outcome = outcomes.get(status)
  if (outcome === undefined) return undefined
  if (outcome !== 'error') return { type: 'run-end', outcome, reason: status }
  const message = statusLines.get(status)?.message ?? 'The interaction has failed'
  return { type: 'run-end', outcome, reason: status, error: failure ?? { message, code: status } }
}

export function errorOf({ code, message }: RawError): RunError {
  return { message: message || 'An error occurred', ...present({ code: code?.toString() }) }
}

export function usageOf(raw: RawUsage, mode: 'snapshot' | 'add'): StreamEvent[] {
  const {
    total_input_tokens: prompt,
    total_tool_use_tokens: tools,
    total_output_tokens: answer,
    total_thought_tokens: thoughts,
    total_cached_tokens: cached,
    ...otherFields
  } = raw
  const counts = countsIn(prompt, tools, answer, thoughts, cached)
  return usageEvents(counts, { scope: 'step', mode, ...keep('google', otherFields) })
}
