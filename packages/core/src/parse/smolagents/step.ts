import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import type { Json } from '../../json.ts'
import { usageEvents } from '../kit/counts.ts'
import { keep } from '../kit/keep.ts'
import { createVoice, type Manner, type Out } from '../kit/voice.ts'
import { createCalls } from './calls.ts'
import { createCodeText, divideCode, type TextPart } from './code-text.ts'
import { imageEvents, textOf } from './content.ts'
import type { ActionOutput, ActionStep, Call, Delta, ModelStep, PlanningStep, ToolOutput } from './raw.ts'

/** The maximum text that is held back while it is unknown whether it is a plan, in UTF-16 units. */
const MAX_HELD = 1024 * 1024

const TEXT: Manner = { kind: 'text' }
const PLAN: Manner = { kind: 'reasoning', variant: 'plan' }

/**
 * The current step. Its records arrive in a different order with and without streaming, and its text is not marked as a
 * plan or a thought: what cannot be emitted yet waits here, so that both orders give the same events.
 */
export type OpenStep = ReturnType<typeof openStep>

export function openStep(number: number, expectedKind: 'unknown' | 'planning' | 'action') {
  const calls = createCalls(`step-${number}`)
  const codeText = createCodeText()
  const voice = createVoice((blockKind) => `${blockKind === 'reasoning' ? 'plan' : 'step'}-${number}:text`)
  let kind = expectedKind
  let isShown = false
  /** Whether its text arrived as deltas: then it precedes its calls. */
  let isStreamed = false
  /** Text that may or may not be a plan. */
  let held: string[] = []
  let heldLength = 0
  /** Events of calls that arrived before the text that precedes them. */
  const waitingEvents: Out = []
  /** The counts of its deltas. */
  let usage: UsageCounts = {}

  const messageIdOf = () => `${kind === 'planning' ? 'plan' : 'step'}-${number}`
  const mannerOf = () => (kind === 'planning' ? PLAN : TEXT)

  function show(out: Out): void {
    if (isShown) return
    isShown = true
    out.push({ type: 'message-start', messageId: messageIdOf(), role: 'assistant' })
    out.push({ type: 'step-start', kind: kind === 'planning' ? 'planning' : 'action', number })
  }

  /** Text of the model. It waits while the kind of the step is unknown. */
  function addText(out: Out, text: string): void {
    if (kind !== 'unknown') {
      show(out)
      if (kind === 'planning') voice.say(out, PLAN, text)
      else addParts(out, codeText.push(text))
      return
    }
    held.push(text)
    heldLength += text.length
    if (heldLength > MAX_HELD) decide(out, 'action')
  }

  /** Code is the input of a call. */
  function addParts(out: Out, parts: readonly TextPart[]): void {
    for (const part of parts) {
      if (part.kind === 'code') calls.addCode(out, part.text)
      else voice.say(out, TEXT, part.text)
    }
  }

  /** Sets the kind of the step, if it is unknown, and emits the text that waited for it. */
  function decide(out: Out, decided: 'planning' | 'action'): void {
    if (kind === 'unknown') kind = decided
    show(out)
    const texts = held
    held = []
    for (const text of texts) addText(out, text)
  }

  /** Ends the text with the whole text of the finished step, then emits the calls that waited for it. */
  function closeText(out: Out, whole: string | undefined): void {
    if (kind !== 'planning') addParts(out, codeText.end())
    const isDivided = whole !== undefined && kind !== 'planning' && calls.mayRunCode()
    const { text, code } = isDivided ? divideCode(whole) : { text: whole, code: undefined }
    if (text) out.push({ type: 'block-patch', blockId: voice.openId ?? voice.begin(out, mannerOf()), text })
    voice.pause(out)
    if (code !== undefined && !calls.hasCode()) calls.addCode(out, code)
    out.push(...waitingEvents.splice(0))
  }

  /** Where events of calls go: they are emitted at once if the text was streamed; otherwise they wait for the text. */
  function outOfCalls(out: Out): Out {
    if (isStreamed) decide(out, 'action')
    kind = 'action'
    return isStreamed ? out : waitingEvents
  }

  /** The counts of the step; if it has none, those of its deltas. Some dictionaries have times in place of a duration. */
  function pushUsage(out: Out, { timing, duration, token_usage: counted }: ModelStep): void {
    const { start_time: start, end_time: end } = timing ?? {}
    const between = typeof start === 'number' && typeof end === 'number' ? end - start : undefined
    const seconds = timing?.duration ?? duration ?? between
    const counts = present({
      inputTokens: counted?.input_tokens ?? usage.inputTokens,
      outputTokens: counted?.output_tokens ?? usage.outputTokens,
      durationMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    })
    out.push(...usageEvents(counts, { scope: 'step' }))
  }

  function end(out: Out, raw: ModelStep, more: object): void {
    const { timing, model_output_message: message } = raw
    pushUsage(out, raw)
    out.push({ type: 'step-end', ...keep('smolagents', { timing, raw: message?.raw, ...more }) })
    out.push({ type: 'message-end', messageId: messageIdOf() })
  }

  const step = {
    number,
    output: undefined as ActionOutput | undefined,
    isAction: () => kind === 'action',
    hasWaiting: () => waitingEvents.length > 0,
    addDelta(out: Out, { content, tool_calls: fragments, token_usage: added }: Delta): void {
      const { inputTokens = 0, outputTokens = 0 } = usage
      const { input_tokens: input, output_tokens: output } = added ?? {}
      isStreamed = true
      if (added) usage = { inputTokens: inputTokens + (input ?? 0), outputTokens: outputTokens + (output ?? 0) }
      if (content) addText(out, content)
      for (const fragment of fragments ?? []) calls.addDelta(outOfCalls(out), fragment)
    },
    addCall: (out: Out, raw: Call) => calls.add(outOfCalls(out), raw),
    addOutput: (out: Out, raw: ToolOutput) => calls.addOutput(outOfCalls(out), raw),
    /** Emits what waits for records that will not arrive. */
    release(out: Out): void {
      decide(out, 'action')
      if (kind !== 'planning') addParts(out, codeText.end())
      out.push(...waitingEvents.splice(0))
      calls.finishCode(out)
      pushUsage(out, {})
    },
    /** A finished plan. Its field `plan` wraps the model's text in an introduction. */
    finishPlan(out: Out, raw: PlanningStep, newInput: Json | undefined): void {
      const text = textOf(raw.model_output_message?.content) ?? raw.plan
      decide(out, 'planning')
      closeText(out, text)
      end(out, raw, { model_input_messages: newInput, plan: raw.plan === text ? undefined : raw.plan })
    },
    /** A finished action: it repeats what its records have already reported. */
    finishAction(out: Out, raw: ActionStep, newInput: Json | undefined): void {
      const { unlessHeld } = calls
      const error = typeof raw.error === 'string' ? { message: raw.error } : raw.error
      decide(out, 'action')
      closeText(out, textOf(raw.model_output) ?? textOf(raw.model_output_message?.content))
      for (const call of raw.tool_calls ?? []) calls.add(out, call)
      const isErrorShown = calls.settle(out, raw.observations, error?.message)
      const callId = calls.last()
      for (const file of imageEvents(raw.observations_images, `step-${number}`))
        out.push({ ...file, ...present({ callId }) })
      if (error && !isErrorShown)
        out.push({ type: 'error', message: error.message ?? 'The step failed', ...present({ name: error.type }) })
      end(out, raw, {
        model_input_messages: newInput,
        observations: unlessHeld(raw.observations),
        code_action: unlessHeld(raw.code_action),
        action_output: unlessHeld(raw.action_output ?? step.output?.output),
      })
    },
    /** No record has finished it. An answer that follows as a message of its own is not kept. */
    leave(out: Out, answer: Json | undefined): void {
      const output = step.output?.output
      decide(out, 'action')
      closeText(out, undefined)
      calls.finishCode(out)
      end(out, {}, { action_output: output === answer ? undefined : calls.unlessHeld(output) })
    },
  }
  return step
}

/**
 * Whether the next text of the model is a plan. Deltas do not mark it, but an agent that plans does so before its first
 * step and then at a fixed interval, and an agent that does not plan at first never does.
 */
export function createPlanner() {
  let hasPlanned = false
  let neverPlans = false
  let actionsSince = 0
  let interval: number | undefined

  return {
    expected(): 'planning' | 'action' | 'unknown' {
      if (neverPlans || (hasPlanned && actionsSince === 0)) return 'action'
      if (!hasPlanned || interval === undefined) return 'unknown'
      return actionsSince % interval === 0 ? 'planning' : 'action'
    },
    planned(): void {
      if (hasPlanned && actionsSince > 0) interval ??= actionsSince
      hasPlanned = true
      neverPlans = false
      actionsSince = 0
    },
    acted(stepNumber: number): void {
      if (!hasPlanned && stepNumber === 1) neverPlans = true
      actionsSince++
    },
  }
}

/**
 * Returns the messages from the first one that differs from the previous step's input: each step repeats all messages
 * that the model had before.
 */
export function createNewMessages(): (messages: readonly Json[] | null | undefined) => Json | undefined {
  let lastTexts: readonly string[] = []
  return (messages) => {
    if (messages === null || messages === undefined) return undefined
    const texts = messages.map((message) => JSON.stringify(message))
    const first = texts.findIndex((text, index) => text !== lastTexts[index])
    lastTexts = texts
    return first === -1 ? undefined : messages.slice(first)
  }
}
