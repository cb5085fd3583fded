import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Calls } from './calls.ts'
import { imageEvents } from './files.ts'
import { type ActionStep, type Failure, type ModelStep, type PlanningStep, textOf } from './raw.ts'
import { closeText, decide, messageIdOf, type OpenStep } from './step.ts'

/** The messages that the model was given last, as JSON texts: each step says all of them again. */
export type ModelInput = { texts: readonly string[] }

/** A plan that is whole. Its field `plan` has an introduction around the model's own words. */
export function planEvents(step: OpenStep, raw: PlanningStep, lastInput: ModelInput): StreamEvent[] {
  const { plan, model_output_message: message } = raw
  const words = textOf(message?.content) ?? plan
  return [
    ...decide(step, 'planning'),
    ...closeText(step, words),
    ...endStep(step, raw, lastInput, { plan: plan === words ? undefined : plan }),
  ]
}

/** An action that is whole: what its records said already is only confirmed. */
export function actionEvents(step: OpenStep, raw: ActionStep, lastInput: ModelInput): StreamEvent[] {
  const { calls, output } = step
  const { observations, code_action: code } = raw
  const error = typeof raw.error === 'string' ? { message: raw.error } : raw.error
  const events = [
    ...decide(step, 'action'),
    ...closeText(step, textOf(raw.model_output) ?? textOf(raw.model_output_message?.content)),
    ...(raw.tool_calls ?? []).flatMap((call) => calls.given(call)),
  ]
  const settled = calls.settled(observations ?? undefined, error?.message)
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

/** A value that no call holds already. */
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

/** The step's own counts; where it has none, those of its deltas. */
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

/** How long the step took; some dictionaries leave out what can be counted. */
function secondsOf({ timing, duration }: ModelStep): number | undefined {
  const { start_time: start, end_time: end, duration: seconds = duration } = timing ?? {}
  if (typeof seconds === 'number') return seconds
  return typeof start === 'number' && typeof end === 'number' ? end - start : undefined
}

/** The messages after those that the step before was given too. */
function newMessages(messages: readonly Json[] | null | undefined, lastInput: ModelInput): Json | undefined {
  if (messages === null || messages === undefined) return undefined
  const texts = messages.map((message) => JSON.stringify(message))
  const first = texts.findIndex((text, index) => text !== lastInput.texts[index])
  lastInput.texts = texts
  return first === -1 ? undefined : messages.slice(first)
}
