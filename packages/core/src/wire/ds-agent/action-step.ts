import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { codeOf, isPythonTool } from '../../meaning/python-code.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import { errorTypeIn } from './error-type.ts'
import { footerOf, type Spent, separatorOf } from './footer.ts'
import { type Draft, draftOf, headOf, ownOf, type Speech, type Step, shownOf, valueBeside } from './message.ts'

export function actionHeader(step: Step, own: Fields): Draft {
  const head = headOf('action_header', { kind: 'message' }, step)
  return draftOf(head, `Step ${step.number}`, { agent_status: 'thinking', is_active: true, ...ownOf(own) })
}

/** What the agent thinks or says while it acts. The message has all of it, and beside it as much as is shown. */
export function actionThought(step: Step | undefined): Speech {
  const metadata = { ...headOf('action_thought', { kind: 'thought' }, step), agent_status: 'thinking' }
  return {
    type: 'action_thought',
    metadata: { ...metadata, is_active: true },
    whole: (text) => ({
      content: text,
      metadata: { ...metadata, is_active: false, thoughts_content: shownOf(text), full_thought_length: text.length },
    }),
  }
}

/** A call of a tool. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly own: Fields
}

/** The badge of a call; `args` where they are known. It turns red where the call has failed. */
export function toolCall(step: Step | undefined, call: ToolCall, args: string | undefined, hasError: boolean): Draft {
  const isPython = isPythonTool(call.name)
  return draftOf(headOf('tool_call', { kind: 'tool-call', toolName: call.name }, step), '', {
    ...toolOf(call),
    tool_args_summary: args,
    is_python_interpreter: isPython,
    agent_status: isPython ? 'coding' : 'actions_running',
    is_active: !hasError,
    ...(hasError && { error: true, has_error: true }),
    ...ownOf(call.own),
  })
}

/** What a call was given: code for the web IDE where it is Python's, else its arguments. */
export function toolInvocation(
  step: Step | undefined,
  call: ToolCall,
  event: EventOf<'tool-input'>,
  args: string = summaryOf(event.input ?? event.text),
): Draft {
  const { input, text, error, meta } = event
  const head = headOf('tool_invocation', { kind: 'tool-invocation', toolName: call.name }, step)
  // Python's code is what the web IDE is for.
  const isPython = head.component === 'webide'
  const code = isPython ? codeOf({ ...defined({ input, inputText: text }) }) : undefined
  const { content, beside } = code === undefined ? argumentsOf(input, text) : fenced(code, input)
  return draftOf(head, content, {
    ...toolOf(call),
    tool_args_summary: args,
    agent_status: isPython ? 'coding' : 'actions_running',
    is_active: true,
    ...(code !== undefined && codeFields(code)),
    ...(error !== undefined && { error: true, error_type: 'ToolInputError', error_message: error }),
    ...ownOf({ ...call.own, ...beside, inputText: error && text, meta }),
  })
}

/** What a tool says, while it runs and once it is done. */
export function observation(step: Step | undefined, call: ToolCall): Speech {
  const head = headOf('observation', { kind: 'observation', toolName: call.name }, step)
  const metadata = { ...head, tool_name: call.name, tool_id: call.callId, agent_status: 'actions_running' }
  return {
    type: 'observation',
    metadata: { ...metadata, is_active: true },
    whole: (text) => ({ content: text, metadata: { ...metadata, is_active: false, output_lines: linesOf(text) } }),
  }
}

/** The observation of a call that is over: how long it ran, and what it failed with. */
export function observed(
  step: Step | undefined,
  call: ToolCall,
  { status, error }: Pick<EventOf<'tool-output'>, 'status' | 'error'>,
  duration: number | undefined,
): Speech {
  const speech = observation(step, call)
  const hasError = status === 'error'
  return {
    ...speech,
    whole(text, isStreamed) {
      const { content, metadata } = speech.whole(text, isStreamed)
      const timed = duration === undefined ? undefined : { execution_duration: duration }
      const told = { ...metadata, has_error: hasError, ...timed, error: hasError }
      if (!hasError) return { content, metadata: told }
      const pane = headOf('observation', { kind: 'tool-error', toolName: call.name }, step)
      const message = error ?? text
      return { content, metadata: { ...told, ...pane, error_type: errorTypeIn(message), error_message: message } }
    },
  }
}

/** What follows all that was done in the step: what it took, and a line. */
export function actionEnd(step: Step, spent: Spent): readonly Draft[] {
  return [footerOf(step, `Step ${step.number}`, spent), separatorOf(step)]
}

function toolOf({ name, callId }: ToolCall): Fields {
  return { tool_name: name, tool_id: callId }
}

function codeFields(code: string): Fields {
  return {
    code,
    language: 'python',
    code_lines: linesOf(code),
    has_imports: /^[ \t]*(?:import|from)\s/m.test(code),
  }
}

/** Words for an input, and what tells the input beside them. */
interface Given {
  readonly content: string
  readonly beside: Fields
}

function argumentsOf(input: Json | undefined, text = ''): Given {
  if (input === undefined) return { content: text, beside: {} }
  if (typeof input === 'string') return { content: input, beside: {} }
  return { content: JSON.stringify(input, null, 2), beside: { json: true } }
}

function fenced(code: string, input: Json | undefined): Given {
  return { content: `\`\`\`python\n${code}\n\`\`\``, beside: valueBeside('input', input, code) }
}

/** How many arguments a badge has room for, and how much of each. */
const MOST_ARGUMENTS = 3
const MOST_WORDS = 100

/** The first arguments of a call, in a line. */
export function summaryOf(input: Json | undefined): string {
  if (input === undefined || input === null) return ''
  if (typeof input !== 'object') return String(input).slice(0, MOST_WORDS)
  const fields = input as { readonly [name: string]: Json }
  const names = Object.keys(fields)
  const shown = names.slice(0, MOST_ARGUMENTS).map((name) => `${name}=${wordsOf(fields[name] ?? null)}`)
  const others = names.length > MOST_ARGUMENTS ? ` … (${names.length} in all)` : ''
  return `${shown.join(', ')}${others}`
}

function wordsOf(value: Json): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_WORDS)
}

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
