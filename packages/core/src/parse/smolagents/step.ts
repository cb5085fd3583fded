import { present } from '../../data/present.ts'
import type { Json } from '../../json.ts'
import { usageEvents } from '../kit/counts.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { createCalls } from './calls.ts'
import { imageEvents } from './files.ts'
import {
  type ActionOutput,
  type ActionStep,
  type ModelStep,
  type PlanningStep,
  type TokenUsage,
  textOf,
} from './raw.ts'

/** The maximum text that is held back while it is unknown whether it is a plan, in UTF-16 units. */
const MAX_HELD = 1024 * 1024

/**
 * The current step. Its records arrive in a different order with and without streaming, and its text is not marked as a
 * plan or a thought: what cannot be emitted yet waits here, so that both orders give the same events.
 */
export type OpenStep = ReturnType<typeof createStep>

export function createStep(number: number, kind: 'unknown' | 'planning' | 'action') {
  return {
    number,
    calls: createCalls(`step-${number}`),
    kind,
    isShown: false,
    /** The block of its text, while that is open. */
    blockId: undefined as string | undefined,
    /** Whether its text arrived as deltas: then it precedes its calls. */
    isStreamed: false,
    /** Text that may or may not be a plan. */
    held: [] as string[],
    heldLength: 0,
    /** Events of calls that arrived before the text that precedes them. */
    waitingEvents: [] as Out,
    usage: undefined as { readonly inputTokens: number; readonly outputTokens: number } | undefined,
    output: undefined as ActionOutput | undefined,
  }
}

/** The message of the step. */
const messageIdOf = ({ number, kind }: OpenStep) => (kind === 'planning' ? `plan-${number}` : `step-${number}`)

/** Text of the model. It waits while the kind of the step is unknown. */
export function addText(out: Out, step: OpenStep, text: string): void {
  if (step.kind !== 'unknown') {
    out.push({ type: 'block-delta', blockId: step.blockId ?? openText(out, step), text })
    return
  }
  step.held.push(text)
  step.heldLength += text.length
  if (step.heldLength > MAX_HELD) decide(out, step, 'action')
}

/** Sets the kind of the step, if it is unknown, and emits the text that waited for it. */
function decide(out: Out, step: OpenStep, kind: 'planning' | 'action'): void {
  if (step.kind === 'unknown') step.kind = kind
  show(out, step)
  for (const text of step.held.splice(0)) addText(out, step, text)
}

function show(out: Out, step: OpenStep): void {
  if (step.isShown) return
  step.isShown = true
  const kind = step.kind === 'planning' ? 'planning' : 'action'
  out.push({ type: 'message-start', messageId: messageIdOf(step), role: 'assistant' })
  out.push({ type: 'step-start', kind, number: step.number })
}

function openText(out: Out, step: OpenStep): string {
  const blockId = `${messageIdOf(step)}:text`
  step.blockId = blockId
  show(out, step)
  if (step.kind === 'planning') out.push({ type: 'block-start', blockId, kind: 'reasoning', variant: 'plan' })
  else out.push({ type: 'block-start', blockId, kind: 'text' })
  return blockId
}

/** Ends the text with the whole text of the finished step, then emits the calls that waited for it. */
function closeText(out: Out, step: OpenStep, whole: string | undefined): void {
  if (whole) out.push({ type: 'block-patch', blockId: step.blockId ?? openText(out, step), text: whole })
  if (step.blockId !== undefined) out.push({ type: 'block-end', blockId: step.blockId })
  step.blockId = undefined
  releaseCalls(out, step)
}

/** Where events of calls go: they are emitted at once if the text was streamed; otherwise they wait for the text. */
export function outOfCalls(out: Out, step: OpenStep): Out {
  if (step.isStreamed) decide(out, step, 'action')
  step.kind = 'action'
  return step.isStreamed ? out : step.waitingEvents
}

function releaseCalls(out: Out, step: OpenStep): void {
  if (step.waitingEvents.length > 0) show(out, step)
  out.push(...step.waitingEvents.splice(0))
}

/** Emits what waits for records that will not arrive. */
export function releaseStep(out: Out, step: OpenStep): void {
  decide(out, step, 'action')
  releaseCalls(out, step)
  pushUsage(out, step, {})
}

/** Adds the counts of a delta. */
export function addUsage(step: OpenStep, usage: TokenUsage): void {
  const { inputTokens = 0, outputTokens = 0 } = step.usage ?? {}
  step.usage = {
    inputTokens: inputTokens + (usage.input_tokens ?? 0),
    outputTokens: outputTokens + (usage.output_tokens ?? 0),
  }
}

/** A finished plan. Its field `plan` wraps the model's text in an introduction. */
export function finishPlan(out: Out, step: OpenStep, raw: PlanningStep, newInput: Json | undefined): void {
  const text = textOf(raw.model_output_message?.content) ?? raw.plan
  decide(out, step, 'planning')
  closeText(out, step, text)
  endStep(out, step, raw, { model_input_messages: newInput, plan: raw.plan === text ? undefined : raw.plan })
}

/** A finished action: it repeats what its records have already reported. */
export function finishAction(out: Out, step: OpenStep, raw: ActionStep, newInput: Json | undefined): void {
  const { calls, output } = step
  const { unlessHeld } = calls
  const error = typeof raw.error === 'string' ? { message: raw.error } : raw.error
  decide(out, step, 'action')
  closeText(out, step, textOf(raw.model_output) ?? textOf(raw.model_output_message?.content))
  for (const call of raw.tool_calls ?? []) calls.add(out, call)
  const isErrorShown = calls.settle(out, raw.observations, error?.message)
  const callId = calls.last()
  for (const file of imageEvents(raw.observations_images, `step-${step.number}`))
    out.push({ ...file, ...present({ callId }) })
  if (error && !isErrorShown)
    out.push({ type: 'error', message: error.message ?? 'The step failed', ...present({ name: error.type }) })
  endStep(out, step, raw, {
    model_input_messages: newInput,
    observations: unlessHeld(raw.observations),
    code_action: unlessHeld(raw.code_action),
    action_output: unlessHeld(raw.action_output ?? output?.output),
  })
}

/** A step that no record has finished. An answer that follows as a message of its own is not kept. */
export function leaveUnfinished(out: Out, step: OpenStep, answer: Json | undefined): void {
  const output = step.output?.output
  decide(out, step, 'action')
  closeText(out, step, undefined)
  endStep(out, step, {}, { action_output: output === answer ? undefined : step.calls.unlessHeld(output) })
}

function endStep(out: Out, step: OpenStep, raw: ModelStep, more: object): void {
  const { timing, model_output_message: message } = raw
  pushUsage(out, step, raw)
  out.push({ type: 'step-end', ...keep('smolagents', { timing, raw: message?.raw, ...more }) })
  out.push({ type: 'message-end', messageId: messageIdOf(step) })
}

/** The counts of the step; if it has none, those of its deltas. Some dictionaries have times in place of a duration. */
function pushUsage(out: Out, step: OpenStep, { timing, duration, token_usage: usage }: ModelStep): void {
  const { start_time: start, end_time: end } = timing ?? {}
  const between = typeof start === 'number' && typeof end === 'number' ? end - start : undefined
  const seconds = timing?.duration ?? duration ?? between
  const counts = present({
    inputTokens: usage?.input_tokens ?? step.usage?.inputTokens,
    outputTokens: usage?.output_tokens ?? step.usage?.outputTokens,
    durationMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
  })
  out.push(...usageEvents(counts, { scope: 'step' }))
}
