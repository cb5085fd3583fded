import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { objectIn, type Sparse } from '../kit/fields.ts'
import type { Recognition } from '../parser.ts'

/** The classes whose instances a run yields, as dictionaries; `null` marks fields that may be `None`. */
export interface RawByClass {
  readonly ChatMessageStreamDelta: Delta
  readonly ChatMessageToolCall: Call
  readonly ToolCall: Call
  readonly ToolOutput: ToolOutput
  readonly ActionOutput: ActionOutput
  readonly PlanningStep: PlanningStep
  readonly ActionStep: ActionStep
  /** Older versions use `final_answer`. */
  readonly FinalAnswerStep: { readonly output?: Json; readonly final_answer?: Json }
  readonly TaskStep: { readonly task: string; readonly task_images?: readonly Json[] | null }
  readonly SystemPromptStep: { readonly system_prompt: string }
  readonly AgentError: Failure
}

export type ClassName = keyof RawByClass

export type Delta = Sparse<{ content: string; tool_calls: readonly CallDelta[]; token_usage: TokenUsage }>

export type CallDelta = Sparse<{ index: number; id: string; function: Sparse<{ name: string; arguments: string }> }>

/** Both dictionaries of one class: its fields as they are, or nested in `function`. */
export interface Call {
  readonly id?: string | null
  readonly name?: string
  readonly arguments?: Json
  readonly function?: { readonly name: string; readonly arguments?: Json }
}

export interface ActionOutput {
  readonly output?: Json
  readonly is_final_answer?: boolean
}

export type ToolOutput = ActionOutput & Sparse<{ id: string; observation: string; tool_call: Call }>

export type TokenUsage = Sparse<{ input_tokens: number; output_tokens: number }>

/** The common fields of both step types with a model call. Older versions have the duration without a timing. */
export type ModelStep = Sparse<{
  timing: Sparse<{ start_time: number; end_time: number; duration: number }>
  duration: number
  token_usage: TokenUsage
  model_input_messages: readonly Json[]
  model_output_message: { readonly content?: Content; readonly raw?: Json }
}>

export type PlanningStep = ModelStep & { readonly plan: string }

/** Some hosts write only the message of an error. */
export type ActionStep = ModelStep & { readonly step_number: number; readonly is_final_answer?: boolean } & Sparse<{
    tool_calls: readonly Call[]
    error: Failure | string
    model_output: Content
    code_action: string
    observations: string
    observations_images: readonly Json[]
    action_output: Json
  }>

/** A text, or the parts of a message. */
export type Content = string | readonly JsonObject[] | null | undefined

export interface Failure {
  readonly type?: string
  readonly message?: string
  readonly error?: string
}

const hasOnly = (value: JsonObject, ...fields: readonly string[]) =>
  Object.keys(value).every((field) => field === 'type' || fields.includes(field))
const hasAll = (value: JsonObject, ...fields: readonly string[]) => fields.every((field) => field in value)
const hasAny = (value: JsonObject, ...fields: readonly string[]) => fields.some((field) => field in value)
const isExactly = (value: JsonObject, ...fields: readonly string[]) =>
  hasAll(value, ...fields) && hasOnly(value, ...fields)

/** The order matters: an earlier class may have all fields of a later one. */
const classes: readonly (readonly [ClassName, certainty: number, fits: (value: JsonObject) => boolean])[] = [
  ['ToolOutput', 0.9, (value) => hasAll(value, 'observation', 'tool_call')],
  [
    'ActionStep',
    0.9,
    (value) => typeof value.step_number === 'number' && hasAny(value, 'observations', 'model_output'),
  ],
  ['PlanningStep', 0.85, (value) => isText(value.plan) && 'model_output_message' in value],
  ['ActionOutput', 0.8, (value) => isExactly(value, 'output', 'is_final_answer')],
  ['FinalAnswerStep', 0.4, (value) => isExactly(value, 'output')],
  ['FinalAnswerStep', 0.6, (value) => isExactly(value, 'final_answer')],
  ['ToolCall', 0.6, (value) => isText(objectIn(value.function).name) && 'arguments' in objectIn(value.function)],
  ['ToolCall', 0.6, (value) => isText(value.name) && 'arguments' in value && hasOnly(value, 'name', 'arguments', 'id')],
  [
    'ChatMessageStreamDelta',
    0.7,
    (value) => hasAll(value, 'content', 'tool_calls') && hasOnly(value, 'content', 'tool_calls', 'token_usage'),
  ],
  ['TaskStep', 0.5, (value) => isText(value.task) && 'task_images' in value],
]

/** The class names of a host that names classes. */
const NAMES =
  /^(?:ChatMessageStreamDelta|(?:ChatMessage)?ToolCall|ToolOutput|ActionOutput|(?:Planning|Action|FinalAnswer|Task|SystemPrompt)Step)$/

/** The names of exceptions: those of agents, and those that a host may pass on. */
const AGENT_ERROR = /^Agent\w*Error$/
const ANY_ERROR = /^error$|^[A-Z]\w*(?:Error|Exception)$/

/**
 * The class of a record, with its certainty, which is lower for a dictionary than for a record of a host that names the
 * class. The dictionary of a call has the `type` `function`.
 */
export function classOf(value: unknown): { readonly name: ClassName; readonly certainty: number } | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  if (typeof type === 'string' && type !== 'function') {
    if (NAMES.test(type)) return { name: type as ClassName, certainty: 0.95 }
    if (!ANY_ERROR.test(type) || !(isText(value.message) || isText(value.error))) return undefined
    return { name: 'AgentError', certainty: AGENT_ERROR.test(type) ? 0.9 : 0.2 }
  }
  const [name, certainty = 0] = classes.find(([, , fits]) => fits(value)) ?? []
  return name && { name, certainty }
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  const found = classOf(value)
  return found && { certainty: found.certainty, reason: `a record is a ${found.name} of smolagents` }
}
