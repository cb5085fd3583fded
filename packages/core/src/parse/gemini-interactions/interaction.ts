import { present } from '../../data/present.ts'
import { forgetOldest } from '../../data/remember.ts'
import type { RunError } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { countsIn, type Unanswered } from '../gemini/google.ts'
import { usageEvents } from '../kit/counts.ts'
import { keep, keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Interaction, RawError, RawUsage, Step } from './raw.ts'
import { type OpenStep, startStep } from './steps.ts'

type UsageMode = 'snapshot' | 'add'

/** An interaction that is being read. It holds its open steps, because steps count from 0 in each interaction. */
export function openInteraction({ id, model }: Interaction, messageId: string, prefix: string, unanswered: Unanswered) {
  const steps = new Map<number, OpenStep>()
  /** How many steps have begun. Steps that are only in the final record follow them. */
  let seen = 0
  /** The model's message begins with its first own step, because steps of the user may come first. */
  let state: 'new' | 'begun' | 'ended' = 'new'
  /** The last counts of the whole interaction, as text. */
  let lastCounts: string | undefined
  /** Usage that was read before the message begins. */
  let heldUsage: readonly StreamEvent[] = []

  function begin(out: Out): void {
    if (state !== 'new') return
    state = 'begun'
    out.push({ type: 'message-start', messageId, role: 'assistant', ...present({ model }) })
    out.push({ type: 'step-start', kind: 'model' }, ...heldUsage)
  }

  function start(out: Out, index: number, step: Step, record: unknown): void {
    const started: Out = []
    const opened = startStep(started, step, { messageId, prefix: `${prefix}:${index}`, unanswered })
    steps.get(index)?.stop(out)
    if (step.type !== 'user_input') begin(out)
    seen = Math.max(seen, index + 1)
    out.push(...started)
    if (opened === undefined) keepRaw(out, record)
    else steps.set(index, opened)
    forgetOldest(steps)
  }

  function stop(out: Out, index: number): void {
    steps.get(index)?.stop(out)
    steps.delete(index)
  }

  return {
    /** Its own id, as soon as a record has it. */
    id,
    steps,
    isEnded: () => state === 'ended',
    begin,
    start,
    stop,
    /** Reads those of all its steps that were not streamed. */
    readRest(out: Out, all: readonly Step[]): void {
      for (const step of all.slice(seen)) {
        const index = seen
        start(out, index, step, step)
        stop(out, index)
      }
    },
    /** Adds the counts so far, or those of one step, which its end may have. */
    addUsage(out: Out, raw: RawUsage | null | undefined, mode: UsageMode): void {
      // A stream that has the sum repeats it. Adding a step to the sum would count the step twice.
      if (!raw || (mode === 'add' && lastCounts !== undefined)) return
      const events = usageOf(raw, mode)
      const counts = JSON.stringify(events)
      if (events.length === 0 || counts === lastCounts) return
      if (mode === 'snapshot') lastCounts = counts
      if (state === 'new') heldUsage = events
      else out.push(...events)
    },
    /** Ends it with its last status. */
    end(out: Out, reason: string | undefined): void {
      if (state === 'ended') return
      begin(out)
      for (const index of steps.keys()) stop(out, index)
      state = 'ended'
      out.push({ type: 'step-end', ...present({ reason }) }, { type: 'message-end', messageId })
    },
  }
}

function usageOf(raw: RawUsage, mode: UsageMode): StreamEvent[] {
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
