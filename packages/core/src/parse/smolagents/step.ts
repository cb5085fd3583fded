import type { StreamEvent } from '../../events.ts'
import { type Calls, createCalls } from './calls.ts'
import type { ActionOutput, TokenUsage } from './raw.ts'

/** The maximum text that is held back while it is unknown whether it is a plan, in UTF-16 units. */
const MAX_HELD = 1024 * 1024

/**
 * The current step. Its records arrive in a different order with and without streaming, and its text is not marked as a
 * plan or a thought: what cannot be emitted yet waits here, so that both orders give the same events.
 */
export interface OpenStep {
  readonly id: string
  readonly number: number
  readonly calls: Calls
  kind: 'unknown' | 'planning' | 'action'
  isShown: boolean
  isTextOpen: boolean
  /** The block of its text; empty before the text begins. */
  blockId: string
  /** Whether its text arrived as deltas: then it precedes its calls. */
  isStreamed: boolean
  /** Text that may or may not be a plan. */
  held: string[]
  heldLength: number
  /** Events of calls that arrived before the text that precedes them. */
  waitingEvents: StreamEvent[]
  usage: { inputTokens: number; outputTokens: number } | undefined
  output: ActionOutput | undefined
}

export function createStep(number: number, kind: OpenStep['kind']): OpenStep {
  const id = `step-${number}`
  return {
    id,
    number,
    calls: createCalls(id),
    kind,
    isShown: false,
    isTextOpen: false,
    blockId: '',
    isStreamed: false,
    held: [],
    heldLength: 0,
    waitingEvents: [],
    usage: undefined,
    output: undefined,
  }
}

/** The message of the step. */
export const messageIdOf = ({ id, number, kind }: OpenStep) => (kind === 'planning' ? `plan-${number}` : id)

/** Text of the model. It waits while the kind of the step is unknown. */
export function addText(step: OpenStep, text: string): StreamEvent[] {
  if (step.isTextOpen) return [{ type: 'block-delta', blockId: step.blockId, text }]
  if (step.kind !== 'unknown') return [...openText(step), { type: 'block-delta', blockId: step.blockId, text }]
  step.held.push(text)
  step.heldLength += text.length
  return step.heldLength > MAX_HELD ? decide(step, 'action') : []
}

/** Sets the kind of the step, if it is unknown, and emits the text that waited for it. */
export function decide(step: OpenStep, kind: 'planning' | 'action'): StreamEvent[] {
  if (step.kind !== 'unknown') return show(step)
  step.kind = kind
  const held = step.held
  step.held = []
  return [...show(step), ...held.flatMap((text) => addText(step, text))]
}

function show(step: OpenStep): StreamEvent[] {
  if (step.isShown) return []
  step.isShown = true
  const kind = step.kind === 'planning' ? 'planning' : 'action'
  return [
    { type: 'message-start', messageId: messageIdOf(step), role: 'assistant' },
    { type: 'step-start', kind, number: step.number },
  ]
}

function openText(step: OpenStep): StreamEvent[] {
  if (step.isTextOpen) return []
  step.isTextOpen = true
  const blockId = `${messageIdOf(step)}:text`
  step.blockId = blockId
  return [
    ...show(step),
    step.kind === 'planning'
      ? { type: 'block-start', blockId, kind: 'reasoning', variant: 'plan' }
      : { type: 'block-start', blockId, kind: 'text' },
  ]
}

/** Ends the text with the whole text of the finished step, then emits the calls that waited for it. */
export function closeText(step: OpenStep, whole: string | undefined): StreamEvent[] {
  const opened = whole ? openText(step) : []
  const { blockId } = step
  const text: StreamEvent[] = whole ? [...opened, { type: 'block-patch', blockId, text: whole }] : []
  const end: StreamEvent[] = step.isTextOpen ? [{ type: 'block-end', blockId }] : []
  step.isTextOpen = false
  return [...text, ...end, ...releaseCalls(step)]
}

/** Emits events of calls at once if the text was streamed; otherwise they wait for the text. */
export function addCalls(step: OpenStep, events: readonly StreamEvent[]): StreamEvent[] {
  const shown = step.isStreamed ? decide(step, 'action') : []
  if (step.isStreamed) return [...shown, ...events]
  step.kind = 'action'
  step.waitingEvents.push(...events)
  return []
}

export function releaseCalls(step: OpenStep): StreamEvent[] {
  const { waitingEvents } = step
  step.waitingEvents = []
  return waitingEvents.length === 0 ? [] : [...show(step), ...waitingEvents]
}

export function addUsage(step: OpenStep, usage: TokenUsage): void {
  const { inputTokens = 0, outputTokens = 0 } = step.usage ?? {}
  step.usage = {
    inputTokens: inputTokens + (usage.input_tokens ?? 0),
    outputTokens: outputTokens + (usage.output_tokens ?? 0),
  }
}
