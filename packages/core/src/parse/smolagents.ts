import { present } from '../data/present.ts'
import type { Role } from '../event-fields.ts'
import { isJsonObject, type Json } from '../json.ts'
import { readRow } from './kit/rows.ts'
import type { Out } from './kit/voice.ts'
import { type Parser, type ParserState, unmapped } from './parser.ts'
import { agentFile, imageEvents } from './smolagents/content.ts'
import {
  type ActionOutput,
  type Call,
  type ClassName,
  classOf,
  type Delta,
  type RawByClass,
  recognize,
} from './smolagents/raw.ts'
import { createNewMessages, createPlanner, type OpenStep, openStep } from './smolagents/step.ts'

/** The records that a smolagents agent yields, whether or not its model streams. */
export const smolagents: Parser = {
  version: 6,
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

type Rows = { readonly [Name in ClassName]: (out: Out, raw: RawByClass[Name]) => void }

function create(): ParserState {
  const newPlanInput = createNewMessages()
  const newActionInput = createNewMessages()
  let planner = createPlanner()
  let step: OpenStep | undefined
  let lastNumber = 0
  let tasks = 0
  let hasRepeated = false
  /** The final answer of the last step, for a host that does not pass on the last record. */
  let lastAnswer: ActionOutput | undefined
  /** The output of the run, once it has one. A step that follows begins another run. */
  let ending: { readonly output: Json | undefined } | undefined

  /** The step of a record. A step that has its output has ended, even if no record has finished it. */
  function current(out: Out): OpenStep {
    if (step !== undefined && step.output === undefined) return step
    leaveStep(out)
    ending = undefined
    step = openStep(lastNumber + 1, planner.expected())
    return step
  }

  /** Ends a step that no record has finished. */
  function leaveStep(out: Out, answer?: Json): void {
    if (step === undefined) return
    lastNumber = step.number
    step.leave(out, answer)
    step = undefined
  }

  const readCall = (out: Out, raw: Call) => void current(out).addCall(out, raw)

  const rows: Rows = {
    ChatMessageStreamDelta(out, raw) {
      if (!isReadable(raw)) throw new TypeError('The delta has neither text nor calls nor counts.')
      if (step?.hasWaiting()) leaveStep(out)
      current(out).addDelta(out, raw)
    },
    ChatMessageToolCall: readCall,
    ToolCall: readCall,
    ToolOutput: (out, raw) => current(out).addOutput(out, raw),
    ActionOutput(out, raw) {
      if (raw.output === undefined && raw.is_final_answer === undefined) throw new TypeError('There is no output.')
      const open = step ?? current(out)
      open.output = raw
    },
    PlanningStep(out, raw) {
      if (step !== undefined && (step.isAction() || step.output !== undefined)) leaveStep(out)
      const open = step ?? openStep(lastNumber + 1, 'planning')
      open.finishPlan(out, raw, newPlanInput(raw.model_input_messages))
      step = undefined
      ending = undefined
      planner.planned()
    },
    ActionStep(out, raw) {
      const { step_number: number, is_final_answer: isFinal } = raw
      if (typeof number !== 'number') throw new TypeError('The step has no number.')
      // An agent that has reached its step limit yields its last step again.
      if (step === undefined && number === lastNumber) {
        hasRepeated = true
        return
      }
      const open = step ?? openStep(number, 'action')
      open.finishAction(out, raw, newActionInput(raw.model_input_messages))
      lastAnswer = isFinal ? { output: step?.output?.output ?? raw.action_output ?? null } : undefined
      lastNumber = number
      step = undefined
      ending = undefined
      hasRepeated = false
      planner.acted(number)
    },
    FinalAnswerStep: (out, { output, final_answer: olderOutput }) => addAnswer(out, output ?? olderOutput),
    TaskStep: (out, { task, task_images }) => addInput(out, `task-${++tasks}`, 'user', task, task_images),
    SystemPromptStep: (out, { system_prompt: prompt }) => addInput(out, `system-prompt-${++tasks}`, 'system', prompt),
    AgentError(out, { message: errorMessage, error, type: name }) {
      const message = String(errorMessage || error)
      leaveStep(out)
      ending = undefined
      endRun()
      out.push({ type: 'run-end', outcome: 'error', error: { message, ...present({ name }) } })
    },
  }

  function addAnswer(out: Out, output: Json | undefined): void {
    const messageId = 'final-answer'
    const file = agentFile(output, `${messageId}:file`)
    leaveStep(out, output)
    out.push({ type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'final' })
    if (file !== undefined) out.push(file)
    else if (output !== undefined && output !== null && output !== '')
      // A structured answer is shown as its JSON.
      addBlock(out, `${messageId}:text`, typeof output === 'string' ? output : JSON.stringify(output))
    out.push({ type: 'step-end' }, { type: 'message-end', messageId })
    ending = { output }
    endRun()
  }

  /** The next run counts its steps from the beginning, and may be another agent's. */
  function endRun(): void {
    lastAnswer = undefined
    lastNumber = 0
    planner = createPlanner()
  }

  function release(): Out {
    const out: Out = []
    step?.release(out)
    return out
  }

  return {
    push(value) {
      const found = classOf(value)
      return found === undefined ? unmapped(value) : readRow(rows, found.name, value)
    },
    release,
    end() {
      const answer = step?.output?.is_final_answer ? step.output : step === undefined ? lastAnswer : undefined
      const out = answer === undefined ? release() : []
      if (answer !== undefined) addAnswer(out, answer.output)
      if (ending === undefined) return out
      const { output } = ending
      const result = typeof output === 'object' && output !== null ? { result: output } : {}
      out.push({ type: 'run-end', outcome: 'success', ...(hasRepeated && { reason: 'max_steps' }), ...result })
      return out
    },
  }
}

/** Whether a delta holds text, calls or counts of the expected types. */
function isReadable({ content, tool_calls, token_usage }: Delta): boolean {
  const isGiven = content !== undefined || tool_calls !== undefined || token_usage !== undefined
  const areCalls = (tool_calls ?? []).every((call) => isJsonObject(call) && !Array.isArray(call.function))
  return isGiven && areCalls && (content === undefined || content === null || typeof content === 'string')
}

/** A message that the agent receives. */
function addInput(out: Out, messageId: string, role: Role, text: string, images?: readonly Json[] | null): void {
  out.push({ type: 'message-start', messageId, role })
  addBlock(out, `${messageId}:text`, text)
  out.push(...imageEvents(images, messageId), { type: 'message-end', messageId })
}

function addBlock(out: Out, blockId: string, text: string): void {
  out.push({ type: 'block-delta', blockId, text }, { type: 'block-end', blockId })
}
