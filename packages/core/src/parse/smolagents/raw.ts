import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

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

/** The text of a content; parts without text add nothing. */
export function textOf(content: Content): string | undefined {
  if (typeof content === 'string') return content
  return content?.map((part) => (typeof part.text === 'string' ? part.text : '')).join('')
}
