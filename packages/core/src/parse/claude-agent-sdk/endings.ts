import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { usageEvents } from '../anthropic-messages/details.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { ResultLine } from './raw.ts'
import { ownFields } from './raw.ts'

export type Endings = ReturnType<typeof createEndings>

/** Tracks how the run ends. A process may have many turns, each with its result. */
export function createEndings() {
  let ending: EventOf<'run-end'> | undefined
  let lastSpeaker: 'assistant' | 'user' | undefined
  let isLive = false
  let isInterrupted = false
  let reason: string | undefined
  let processCost = 0
  let earlierCost = 0

  /** The cost of earlier processes in US dollars, because a process reports only its own total. */
  function costBefore(cost: number): number {
    if (cost < processCost) earlierCost += processCost
    processCost = cost
    return earlierCost
  }

  return {
    /** The main agent or the user continues after a result. */
    resume(out: Out, by: 'assistant' | 'user'): void {
      const failure = ending?.error
      ending = undefined
      lastSpeaker = by
      if (by === 'user') isInterrupted = false
      if (failure !== undefined) out.push({ type: 'error', ...failure })
    },
    /** The lines are a live stream, which reports its end. A stored session does not. */
    markLive(): void {
      isLive = true
    },
    interrupt(): void {
      isInterrupted = true
    },
    /** The model's reason to stop, if a line has one. */
    stopFor(stopReason: string | null | undefined): void {
      reason = stopReason ?? undefined
    },
    /** The usage and metadata of a turn. Tokens are of this turn, the cost is of the whole process so far. */
    result(line: ResultLine): StreamEvent[] {
      const { usage, total_cost_usd: cost, duration_ms, num_turns } = line
      const [counts] = usageEvents(usage ?? {})
      const measured = present({ durationMs: duration_ms, turns: num_turns })
      const figures = Object.entries(ownFields(line)).filter(([field]) => !MAPPED_FIELDS.has(field))
      const out: Out = []
      if (counts !== undefined || !isEmpty(measured))
        out.push({ ...counts, type: 'usage', scope: 'run', mode: 'add', ...measured })
      if (typeof cost === 'number')
        out.push({ type: 'usage', scope: 'run', mode: 'snapshot', costUsd: costBefore(cost) + cost })
      out.push(...metadata(Object.fromEntries(figures)))
      ending = endOf(line, isInterrupted)
      isLive = true
      return out
    },
    end(isAsking: boolean, isWaiting: boolean): EventOf<'run-end'> | undefined {
      if (ending !== undefined) return ending
      if (isAsking) return { type: 'run-end', outcome: 'awaiting-input' }
      if (isLive) return undefined
      if (isInterrupted) return { type: 'run-end', outcome: 'cancelled', reason: 'interrupted' }
      if (lastSpeaker !== 'assistant' || isWaiting || reason === 'tool_use') return undefined
      return { type: 'run-end', outcome: 'success', ...present({ reason }) }
    },
  }
}

/** Fields of a result that are mapped to other events, so that they are not repeated as metadata. */
const MAPPED_FIELDS: ReadonlySet<string> = new Set([
  ...['usage', 'total_cost_usd', 'duration_ms', 'num_turns', 'is_error', 'result', 'stop_reason'],
])

/** How a turn ended. */
function endOf(line: ResultLine, isInterrupted: boolean): EventOf<'run-end'> {
  const { stop_reason, terminal_reason, subtype, deferred_tool_use } = line
  const isFailed = line.is_error === true || (subtype ?? '').startsWith('error')
  const result = present({ result: line.result === '' ? undefined : line.result })
  if (isFailed && (isInterrupted || (terminal_reason ?? '').startsWith('aborted')))
    return { type: 'run-end', outcome: 'cancelled', reason: terminal_reason ?? 'interrupted', ...result }
  if (isFailed) return failure(line)
  if (deferred_tool_use !== undefined && deferred_tool_use !== null)
    return { type: 'run-end', outcome: 'awaiting-input', reason: terminal_reason ?? 'tool_deferred', ...result }
  return { type: 'run-end', outcome: 'success', ...present({ reason: stop_reason ?? terminal_reason }), ...result }
}

const sentences: ReadonlyMap<string | null | undefined, string> = new Map([
  ['error_max_turns', 'The turn limit was reached'],
  ['error_max_budget_usd', 'The budget was used up'],
  ['error_max_structured_output_retries', 'No valid structured output was given'],
  ['error_during_execution', 'An error occurred during execution'],
])

function failure({ subtype, terminal_reason, result, errors, api_error_type }: ResultLine): EventOf<'run-end'> {
  const code = subtype && subtype !== 'success' ? subtype : api_error_type
  const texts = [result, ...(errors ?? [])].filter((text) => typeof text === 'string' && text !== '')
  const message = texts.join('\n') || sentences.get(subtype) || 'The agent failed'
  const error = { message, ...(typeof code === 'string' && { code }) }
  return { type: 'run-end', outcome: 'error', reason: terminal_reason ?? subtype ?? 'error', error }
}
