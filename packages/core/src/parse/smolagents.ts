import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { isJsonObject, type Json } from '../json.ts'
import { type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'
import { classOf, recognize } from './smolagents/classes.ts'
import { actionEvents, type ModelInput, planEvents, unfinishedEvents, usageEvents } from './smolagents/ending.ts'
import { agentFile, imageEvents } from './smolagents/files.ts'
import { createPlanner } from './smolagents/planner.ts'
import type { ActionOutput, Call, ClassName, Delta, RawByClass } from './smolagents/raw.ts'
import { addCalls, addText, addUsage, createStep, decide, type OpenStep, releaseCalls } from './smolagents/step.ts'

/** The records that a smolagents agent yields, whether or not its model streams. */
export const smolagents: Parser = {
  version: 4,
  losses: {
    retract: 'A finished step is never retracted.',
    signature: 'Reasoning of models is not passed on.',
    encrypted: 'Reasoning of models is not passed on.',
    citations: 'Text is plain.',
    'tool-progress': 'The outputs of tools arrive whole.',
    'tool-nesting': 'Tools that code calls are not reported.',
    approvals: 'Steps need no approval.',
    sources: 'What a search found is the text of its output.',
    subagents: 'A managed agent is called as any tool is.',
    'subagent-content': 'What a managed agent does is not passed on.',
    status: 'Steps report what they did, not what they are about to do.',
    cost: 'Usage counts tokens.',
    state: 'The state of the interpreter is not passed on.',
    data: 'There are no payloads of other kinds.',
    metadata: 'Neither the model nor the agent is named.',
    control: 'What the user requests is not passed on.',
    times: 'Only finished steps have times; their duration is in their usage.',
  },
  recognize,
  create,
}

type Handlers = { readonly [Name in ClassName]: (raw: RawByClass[Name]) => readonly StreamEvent[] }
type Handle = (raw: unknown) => readonly StreamEvent[]

function create(): ParserState {
  const planner = createPlanner()
  const lastPlanInput: ModelInput = { texts: [] }
  const lastActionInput: ModelInput = { texts: [] }
  let step: OpenStep | undefined
  let lastNumber = 0
  let tasks = 0
  let hasRepeated = false
  /** The final answer of the last step, for a host that does not pass on the last record. */
  let lastAnswer: ActionOutput | undefined
  let ending: { readonly output: Json | undefined } | 'none' | 'failed' = 'none'

  /** The step of a record. A step that has its output has ended, even if no record has finished it. */
  function current(): [OpenStep, StreamEvent[]] {
    if (step !== undefined && step.output === undefined) return [step, []]
    const events = leaveStep()
    ending = 'none'
    step = createStep(lastNumber + 1, planner.expected())
    return [step, events]
  }

  /** Ends a step that no record has finished. */
  function leaveStep(answer?: Json): StreamEvent[] {
    if (step === undefined) return []
    const openStep = step
    step = undefined
    lastNumber = openStep.number
    return unfinishedEvents(openStep, answer)
  }

  function call(raw: Call): readonly StreamEvent[] {
    const [open, events] = current()
    return understood([...events, ...addCalls(open, open.calls.add(raw))])
  }

  const handlers: Handlers = {
    ChatMessageStreamDelta(raw) {
      const { content, tool_calls: fragments, token_usage: usage } = raw
      if (!isReadable(raw)) return unmapped(raw)
      const isAfterCalls = step !== undefined && step.waitingEvents.length > 0
      const endEvents = isAfterCalls ? leaveStep() : []
      const [open, events] = current()
      open.isStreamed = true
      if (usage) addUsage(open, usage)
      const textEvents = typeof content === 'string' && content !== '' ? addText(open, content) : []
      if (!fragments && endEvents.length === 0 && events.length === 0) return understood(textEvents)
      const calls = (fragments ?? []).flatMap((fragment) => open.calls.addDelta(fragment))
      return understood([...endEvents, ...events, ...textEvents, ...(calls.length === 0 ? [] : addCalls(open, calls))])
    },
    ChatMessageToolCall: call,
    ToolCall: call,
    ToolOutput(raw) {
      const [open, events] = current()
      return understood([...events, ...addCalls(open, open.calls.addOutput(raw))])
    },
    ActionOutput(raw) {
      if (raw.output === undefined && raw.is_final_answer === undefined) return unmapped(raw)
      const [open, events] = step === undefined ? current() : [step, []]
      open.output = raw
      return understood(events)
    },
    PlanningStep(raw) {
      const endEvents = step !== undefined && (step.kind === 'action' || step.output !== undefined) ? leaveStep() : []
      const open = step ?? createStep(lastNumber + 1, 'planning')
      const events = planEvents(open, raw, lastPlanInput)
      step = undefined
      ending = 'none'
      planner.planned()
      return [...endEvents, ...events]
    },
    ActionStep(raw) {
      if (typeof raw.step_number !== 'number') return unmapped(raw)
      // An agent that has reached its step limit yields its last step again.
      if (step === undefined && raw.step_number === lastNumber) {
        hasRepeated = true
        return SILENT
      }
      const events = actionEvents(step ?? createStep(raw.step_number, 'action'), raw, lastActionInput)
      const answer = raw.is_final_answer ? { output: step?.output?.output ?? raw.action_output ?? null } : undefined
      lastNumber = raw.step_number
      step = undefined
      ending = 'none'
      hasRepeated = false
      planner.acted(raw.step_number)
      lastAnswer = answer
      return events
    },
    FinalAnswerStep: ({ output, final_answer: olderOutput }) => finalEvents(output ?? olderOutput),
    TaskStep({ task, task_images: images }) {
      const messageId = `task-${++tasks}`
      return [
        ...messageEvents(messageId, 'user', task),
        ...imageEvents(images, messageId),
        { type: 'message-end', messageId },
      ]
    },
    SystemPromptStep({ system_prompt: prompt }) {
      const messageId = `system-prompt-${++tasks}`
      return [...messageEvents(messageId, 'system', prompt), { type: 'message-end', messageId }]
    },
    AgentError({ message: errorMessage, error, type: name }) {
      const message = String(errorMessage || error)
      const events = leaveStep()
      ending = 'failed'
      endRun()
      return [...events, { type: 'run-end', outcome: 'error', error: { message, ...present({ name }) } }]
    },
  }
  function finalEvents(output: Json | undefined): StreamEvent[] {
    const messageId = 'final-answer'
    const file = agentFile(output, `${messageId}:file`)
    const text = file === undefined ? answerText(output) : undefined
    const events: StreamEvent[] = [
      ...leaveStep(output),
      { type: 'message-start', messageId, role: 'assistant' },
      { type: 'step-start', kind: 'final' },
      ...(text ? textBlock(`${messageId}:text`, text) : []),
      ...(file === undefined ? [] : [file]),
      { type: 'step-end' },
      { type: 'message-end', messageId },
    ]
    ending = { output }
    endRun()
    return events
  }

  /** The next run counts its steps from the beginning. */
  function endRun(): void {
    lastAnswer = undefined
    lastNumber = 0
    planner.reset()
  }

  /** Emits what waits for records that will not arrive. */
  function release(): StreamEvent[] {
    if (step === undefined) return []
    return [...decide(step, 'action'), ...releaseCalls(step), ...usageEvents(step, {})]
  }

  return {
    push(value) {
      const found = classOf(value)
      return found === undefined ? unmapped(value) : (handlers[found.name] as Handle)(value)
    },
    release,
    end() {
      const answer = step?.output?.is_final_answer ? step.output : step === undefined ? lastAnswer : undefined
      const events = answer === undefined ? release() : finalEvents(answer.output)
      if (typeof ending === 'string') return events
      const { output } = ending
      const reason = hasRepeated ? { reason: 'max_steps' } : {}
      const result = typeof output === 'object' && output !== null ? { result: output } : {}
      return [...events, { type: 'run-end', outcome: 'success', ...reason, ...result }]
    },
  }
}

/** Whether a delta holds text, calls or counts of the expected types. */
function isReadable({ content, tool_calls, token_usage }: Delta): boolean {
  const isGiven = content !== undefined || tool_calls !== undefined || token_usage !== undefined
  const areCalls = (tool_calls ?? []).every(isJsonObject)
  return isGiven && areCalls && (content === undefined || content === null || typeof content === 'string')
}

/** A structured answer is shown as its JSON. */
function answerText(output: Json | undefined): string | undefined {
  if (output === undefined || output === null) return undefined
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function messageEvents(messageId: string, role: 'user' | 'system', text: string): StreamEvent[] {
  return [{ type: 'message-start', messageId, role }, ...textBlock(`${messageId}:text`, text)]
}

function textBlock(blockId: string, text: string): StreamEvent[] {
  return [
    { type: 'block-start', blockId, kind: 'text' },
    { type: 'block-delta', blockId, text },
    { type: 'block-end', blockId },
  ]
}
