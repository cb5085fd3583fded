import type { Entry } from '../entry.ts'
import type { EventOf } from '../events.ts'
import { createUsageTotal, type UsageTotal } from '../meaning/usage-total.ts'
import { freezeContainer, touch } from './draft.ts'
import type { ChatDraft, FoldState } from './fold-state.ts'
import type { ChatEvent, StepRange } from './shapes.ts'

/** The steps of a message, in order. Those that do not change are shared by all snapshots. */
export interface Steps {
  readonly ranges: StepRange[]
  /** The last one goes on: it reaches as far as the message. */
  isOpen: boolean
}

/** The latest step of the main agent, open or not: its counts may follow its end. */
export interface CurrentStep {
  /** Undefined until a message of the assistant begins: some formats begin a step before its message. */
  holder: { readonly chat: ChatDraft; readonly position: number } | undefined
  range: StepRange
  isOpen: boolean
  readonly usage: UsageTotal
}

export const createChatSteps = (): Steps => ({ ranges: [], isOpen: false })

export function startStep(state: FoldState, entry: Entry, event: EventOf<'step-start'>): void {
  state.usage.nextStep(event.agentId)
  if (event.agentId !== undefined) return
  const chat = state.openChats.findLast(({ fields }) => fields.role === 'assistant')
  chat?.usage.nextStep(undefined)
  endCurrent(state, entry)
  const { kind, number, name } = event
  const range: StepRange = {
    kind,
    ...(number !== undefined && { number }),
    ...(name !== undefined && { name }),
    seqs: [entry.seq, entry.seq],
  }
  state.step = { holder: undefined, range, isOpen: true, usage: createUsageTotal() }
  if (chat !== undefined) hold(state.step, chat, entry)
  if (kind === 'final') showAnswerOnce(state, entry)
}

export function endStep(state: FoldState, entry: Entry, event: EventOf<'step-end'>): void {
  if (event.agentId === undefined) endCurrent(state, entry)
}

/** A message of the assistant begins: it holds the step that waits for one. */
export function beginMessageOfStep(state: FoldState, chat: ChatDraft, entry: Entry): void {
  const { step } = state
  if (step === undefined || chat.fields.role !== 'assistant') return
  step.usage.nextStep(undefined)
  if (step.holder === undefined) hold(step, chat, entry)
  else if (!step.isOpen) state.step = undefined
}

/** Counts of another message than that of the step are not the step's. */
export function addStepUsage({ step }: FoldState, chat: ChatDraft, entry: Entry, event: EventOf<'usage'>): void {
  if (step?.holder?.chat !== chat) return
  step.usage.add(event)
  const usage = step.usage.total()
  if (usage !== undefined) change(step, { ...step.range, usage }, entry)
}

/** A message with the steps that began in it. */
export function freezeChat(chat: ChatDraft): ChatEvent {
  const { ranges, isOpen } = chat.steps
  if (ranges.length === 0) return freezeContainer(chat)
  const steps = ranges.slice()
  const last = steps.at(-1)
  if (isOpen && last !== undefined) steps[steps.length - 1] = { ...last, seqs: [last.seqs[0], chat.lastSeq] }
  return { ...freezeContainer(chat), steps }
}

function hold(step: CurrentStep, chat: ChatDraft, entry: Entry): void {
  step.holder = { chat, position: chat.steps.ranges.length }
  chat.steps.isOpen = step.isOpen
  change(step, step.range, entry)
}

/** A step that ends before a message began is drawn nowhere. */
function endCurrent(state: FoldState, entry: Entry): void {
  const { step } = state
  if (step === undefined || !step.isOpen) return
  step.isOpen = false
  if (step.holder === undefined) state.step = undefined
  else step.holder.chat.steps.isOpen = false
  change(step, { ...step.range, seqs: [step.range.seqs[0], entry.seq] }, entry)
}

function change(step: CurrentStep, range: StepRange, entry: Entry): void {
  step.range = range
  if (step.holder === undefined) return
  const { chat, position } = step.holder
  chat.steps.ranges[position] = range
  touch(chat, entry.seq)
}

/** The tool with which an agent of smolagents answers: a final step shows the same answer as text. */
export const ANSWER_TOOL = 'final_answer'

/** The answer is drawn as the text of the final step, not also as the call that gave it. */
function showAnswerOnce({ answerCall }: FoldState, entry: Entry): void {
  if (answerCall === undefined || answerCall.fields.state !== 'done') return
  answerCall.fields.shownAs = 'answer'
  touch(answerCall, entry.seq)
}
