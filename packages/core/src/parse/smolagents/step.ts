import type { StreamEvent } from '../../events.ts'
import { type Calls, createCalls } from './calls.ts'
import type { ActionOutput, TokenUsage } from './raw.ts'

/** How much of a text is held back until it is known whether it is a plan. */
const MAX_HELD = 1024 * 1024

/**
 * A step that is under way. Its records come in another order with and without streaming, and its words do not say what
 * they are: what cannot be placed yet waits here, so that both ways give the same.
 */
export interface OpenStep {
  readonly id: string
  readonly number: number
  readonly calls: Calls
  kind: 'unknown' | 'planning' | 'action'
  isShown: boolean
  isTextOpen: boolean
  /** The block of its words, once they have begun. */
  blockId: string
  /** Whether its words came as deltas: then they are known before its calls. */
  isStreamed: boolean
  /** Words of which it is not known yet whether they are a plan. */
  held: string[]
  heldLength: number
  /** Events of calls that came before the words that go in front of them. */
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

/** What is drawn of the step stands in one message. */
export const messageIdOf = ({ id, number, kind }: OpenStep) => (kind === 'planning' ? `plan-${number}` : id)

/** Words of the model. While it is not known what they are, they wait. */
export function addText(step: OpenStep, text: string): StreamEvent[] {
  if (step.isTextOpen) return [{ type: 'block-delta', blockId: step.blockId, text }]
  if (step.kind !== 'unknown') return [...openText(step), { type: 'block-delta', blockId: step.blockId, text }]
  step.held.push(text)
  step.heldLength += text.length
  return step.heldLength > MAX_HELD ? decide(step, 'action') : []
}

/** Now it is known what the step is: the words that waited are let go. */
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

/** The whole text, as the finished step has it, ends the words; then the calls that waited for it go. */
export function closeText(step: OpenStep, whole: string | undefined): StreamEvent[] {
  const opened = whole ? openText(step) : []
  const { blockId } = step
  const text: StreamEvent[] = whole ? [...opened, { type: 'block-patch', blockId, text: whole }] : []
  const end: StreamEvent[] = step.isTextOpen ? [{ type: 'block-end', blockId }] : []
  step.isTextOpen = false
  return [...text, ...end, ...releaseCalls(step)]
}

/** Events of calls go at once where the words before them are known, else they wait for these. */
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
