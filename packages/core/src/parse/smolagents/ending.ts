import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Calls } from './calls.ts'
import { imageEvents } from './files.ts'
import { type ActionStep, type Failure, type ModelStep, type PlanningStep, textOf } from './raw.ts'
import { closeText, decide, messageIdOf, type OpenStep } from './step.ts'

/** The last input messages of the model, as JSON texts: each step repeats all of them. */
export type ModelInput = { texts: readonly string[] }

/** A finished plan. Its field `plan` wraps the model's text in an introduction. */
export function planEvents(step: OpenStep, raw: PlanningStep, lastInput: ModelInput): StreamEvent[] {
  const { plan, model_output_message: message } = raw
  const text = textOf(message?.content) ?? plan
  return [
    ...decide(step, 'planning'),
    ...closeText(step, text),
    ...endStep(step, raw, lastInput, { plan: plan === text ? undefined : plan }),
  ]
}

/** A finished action: it repeats what its records have already reported. */
export function actionEvents(step: OpenStep, raw: ActionStep, lastInput: ModelInput): StreamEvent[] {
  const { calls, output } = step
  const { observations, code_action: code } = raw
  const error = typeof raw.error === 'string' ? { message: raw.error } : raw.error
  const events = [
    ...decide(step, 'action'),
    ...closeText(step, textOf(raw.model_output) ?? textOf(raw.model_output_message?.content)),
    ...(raw.tool_calls ?? []).flatMap((call) => calls.add(call)),
  ]
  const settled = calls.settle(observations ?? undefined, error?.message)
  const callId = calls.last()
  const files = imageEvents(raw.observations_images, step.id).map((file) => ({ ...file, ...present({ callId }) }))
  return [
    ...events,
    ...settled.events,
    ...files,
    ...(error && !settled.isErrorShown ? [errorEvent(error)] : []),
    ...endStep(step, raw, lastInput, {
      observations: unlessHeld(calls, observations),
      code_action: unlessHeld(calls, code),
      action_output: unlessHeld(calls, raw.action_output ?? output?.output),
    }),
  ]
}

/** A step that no record has finished. An answer that follows as a message of its own is not kept. */
export function unfinishedEvents(step: OpenStep, answer: Json | undefined): StreamEvent[] {
  const { calls, output } = step
  const action_output = output?.output === answer ? undefined : unlessHeld(calls, output?.output)
  return [
    ...decide(step, 'action'),
    ...closeText(step, undefined),
    ...endStep(step, {}, { texts: [] }, { action_output }),
  ]
}

/** The value, or undefined if a call already holds it. */
function unlessHeld(calls: Calls, value: Json | undefined): Json | undefined {
  return calls.holds(value) ? undefined : value
}

function errorEvent({ message = 'The step failed', type: name }: Failure): StreamEvent {
  return { type: 'error', message, ...present({ name }) }
}

type Kept = { readonly [field: string]: Json | null | undefined }

function endStep(step: OpenStep, raw: ModelStep, lastInput: ModelInput, more: Kept): StreamEvent[] {
  const kept = present({
    timing: raw.timing as Json | undefined,
    model_input_messages: newMessages(raw.model_input_messages, lastInput),
    raw: raw.model_output_message?.raw,
    ...more,
  }) as JsonObject
  const meta = Object.keys(kept).length === 0 ? {} : { meta: { smolagents: kept } }
  return [
    ...usageEvents(step, raw),
    { type: 'step-end', ...meta },
    { type: 'message-end', messageId: messageIdOf(step) },
  ]
}

/** The counts of the step; if it has none, those of its deltas. */
export function usageEvents(step: OpenStep, raw: ModelStep): StreamEvent[] {
  const usage = raw.token_usage
  const duration = secondsOf(raw)
  const counts = present({
    inputTokens: usage?.input_tokens ?? step.usage?.inputTokens,
    outputTokens: usage?.output_tokens ?? step.usage?.outputTokens,
    durationMs: duration === undefined ? undefined : Math.round(duration * 1000),
  })
  return Object.keys(counts).length === 0 ? [] : [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts }]
}

/** The duration of the step; some dictionaries omit it but hold its start and end. */
function secondsOf({ timing, duration }: ModelStep): number | undefined {
  const { start_time: start, end_time: end, duration: seconds = duration } = timing ?? {}
  if (typeof seconds === 'number') return seconds
  return typeof start === 'number' && typeof end === 'number' ? end - start : undefined
}

/** The messages from the first one that differs from the previous step's input. */
function newMessages(messages: readonly Json[] | null | undefined, lastInput: ModelInput): Json | undefined {
  if (messages === null || messages === undefined) return undefined
  const texts = messages.map((message) => JSON.stringify(message))
  const first = texts.findIndex((text, index) => text !== lastInput.texts[index])
  lastInput.texts = texts
  return first === -1 ? undefined : messages.slice(first)
}
