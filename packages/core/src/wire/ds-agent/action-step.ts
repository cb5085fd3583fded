import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { codeOf, isPythonTool } from '../../meaning/code-input.ts'
import { defined, type Fields, underMillrace } from '../chunk-fields.ts'
import { footerOf, type Spent, separatorOf } from './footer.ts'
import { errorTypeIn } from './general.ts'
import {
  type Draft,
  draftOf,
  headOf,
  type MessageTemplate,
  type Metadata,
  type Step,
  shownOf,
  valueExtra,
} from './message.ts'

export function actionHeader(step: Step, extra: Fields): Draft {
  const head = headOf('action_header', { kind: 'message' }, step)
  return draftOf(head, `Step ${step.number}`, { agent_status: 'thinking', is_active: true, ...underMillrace(extra) })
}

/** A thought or text of the agent while it acts. The message has the whole text, and its metadata the part that is shown. */
export function actionThought(step: Step | undefined): MessageTemplate {
  const first = (is_active: boolean): Metadata => {
    const metadata = headOf('action_thought', { kind: 'thought' }, step)
    metadata.agent_status = 'thinking'
    metadata.is_active = is_active
    return metadata
  }
  return {
    type: 'action_thought',
    metadata: () => first(true),
    whole(text) {
      const metadata = first(false)
      metadata.thoughts_content = shownOf(text)
      metadata.full_thought_length = text.length
      return { content: text, metadata }
    },
  }
}

export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly extra: Fields
}

/** The badge of a call; `args` if they are known. It turns red if the call has failed. */
export function toolCall(step: Step | undefined, call: ToolCall, args: string | undefined, hasError: boolean): Draft {
  const isPython = isPythonTool(call.name)
  return draftOf(headOf('tool_call', { kind: 'tool-call', toolName: call.name }, step), '', {
    tool_name: call.name,
    tool_id: call.callId,
    tool_args_summary: args,
    is_python_interpreter: isPython,
    agent_status: isPython ? 'coding' : 'actions_running',
    is_active: !hasError,
    ...(hasError && { error: true, has_error: true }),
    ...underMillrace(call.extra),
  })
}

/** The input of a call: code for the web IDE if the tool runs Python, otherwise its arguments. */
export function toolInvocation(
  step: Step | undefined,
  call: ToolCall,
  event: EventOf<'tool-input'>,
  args: string = summaryOf(event.input ?? event.text),
): Draft {
  const { input, text, error, meta } = event
  const head = headOf('tool_invocation', { kind: 'tool-invocation', toolName: call.name }, step)
  // Only Python code is routed to the web IDE.
  const isPython = head.component === 'webide'
  const code = isPython ? codeOf({ ...defined({ input, inputText: text }) }) : undefined
  const { content, extra } = code === undefined ? argumentsOf(input, text) : fenced(code, input)
  return draftOf(head, content, {
    tool_name: call.name,
    tool_id: call.callId,
    tool_args_summary: args,
    agent_status: isPython ? 'coding' : 'actions_running',
    is_active: true,
    ...(code !== undefined && codeFields(code)),
    ...(error !== undefined && { error: true, error_type: 'ToolInputError', error_message: error }),
    ...underMillrace({ ...call.extra, ...extra, inputText: error && text, meta }),
  })
}

type ObservationKind = 'observation' | 'tool-error'

/** The output of a tool, while it runs and once it is done. */
export function observation(step: Step | undefined, call: ToolCall): MessageTemplate {
  return {
    type: 'observation',
    metadata: () => observationMetadata('observation', step, call, true),
    whole: (text) => wholeObservation('observation', step, call, text),
  }
}

function observationMetadata(
  kind: ObservationKind,
  step: Step | undefined,
  call: ToolCall,
  isActive: boolean,
): Metadata {
  const metadata = headOf('observation', { kind, toolName: call.name }, step)
  metadata.tool_name = call.name
  metadata.tool_id = call.callId
  metadata.agent_status = 'actions_running'
  metadata.is_active = isActive
  return metadata
}

function wholeObservation(kind: ObservationKind, step: Step | undefined, call: ToolCall, text: string): Draft {
  const metadata = observationMetadata(kind, step, call, false)
  metadata.output_lines = linesOf(text)
  return { content: text, metadata }
}

/** The observation of a call that has ended: with its duration, and its error if it failed. */
export function observed(
  step: Step | undefined,
  call: ToolCall,
  { status, error }: Pick<EventOf<'tool-output'>, 'status' | 'error'>,
  duration: number | undefined,
): MessageTemplate {
  const hasError = status === 'error'
  return {
    type: 'observation',
    metadata: () => observationMetadata('observation', step, call, true),
    whole(text) {
      const draft = wholeObservation(hasError ? 'tool-error' : 'observation', step, call, text)
      const { metadata } = draft
      metadata.has_error = hasError
      if (duration !== undefined) metadata.execution_duration = duration
      metadata.error = hasError
      if (hasError) {
        const message = error ?? text
        metadata.error_type = errorTypeIn(message)
        metadata.error_message = message
      }
      return draft
    },
  }
}

/** The end of a step: its usage and duration, and a line. */
export function actionEnd(step: Step, spent: Spent): readonly Draft[] {
  return [footerOf(step, `Step ${step.number}`, spent), separatorOf(step)]
}

function codeFields(code: string): Fields {
  return {
    code,
    language: 'python',
    code_lines: linesOf(code),
    has_imports: /^[ \t]*(?:import|from)\s/m.test(code),
  }
}

/** An input as text, and the extra fields from which the input itself can be restored. */
interface InvocationText {
  readonly content: string
  readonly extra: Fields
}

function argumentsOf(input: Json | undefined, text = ''): InvocationText {
  if (input === undefined) return { content: text, extra: {} }
  if (typeof input === 'string') return { content: input, extra: {} }
  return { content: JSON.stringify(input, null, 2), extra: { json: true } }
}

function fenced(code: string, input: Json | undefined): InvocationText {
  return { content: `\`\`\`python\n${code}\n\`\`\``, extra: valueExtra('input', input, code) }
}

/** The most arguments on a badge, and the most characters of each. */
const MOST_ARGUMENTS = 3
const MOST_CHARACTERS = 100

/** The first arguments of a call, in one line. */
export function summaryOf(input: Json | undefined): string {
  if (input === undefined || input === null) return ''
  if (typeof input !== 'object') return String(input).slice(0, MOST_CHARACTERS)
  const fields = input as { readonly [name: string]: Json }
  const names = Object.keys(fields)
  let shown = ''
  for (let at = 0; at < names.length && at < MOST_ARGUMENTS; at++) {
    const name = names[at] as string
    shown += `${at === 0 ? '' : ', '}${name}=${shortTextOf(fields[name] ?? null)}`
  }
  return names.length > MOST_ARGUMENTS ? `${shown} … (${names.length} in all)` : shown
}

function shortTextOf(value: Json): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_CHARACTERS)
}

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
