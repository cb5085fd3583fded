import type { Json, JsonObject } from '../../json.ts'

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
  readonly TaskStep: TaskStep
  readonly SystemPromptStep: { readonly system_prompt: string }
  readonly AgentError: Failure
}

export type ClassName = keyof RawByClass

export interface Delta {
  readonly content?: string | null
  readonly tool_calls?: readonly CallDelta[] | null
  readonly token_usage?: TokenUsage | null
}

export interface CallDelta {
  readonly index?: number | null
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null
}

/** Both dictionaries of one class: its fields as they are, or nested in `function`. */
export interface Call {
  readonly id?: string | null
  readonly name?: string
  readonly arguments?: Json
  readonly function?: { readonly name: string; readonly arguments?: Json }
}

export interface ToolOutput {
  readonly id?: string | null
  readonly output?: Json
  readonly observation?: string | null
  readonly is_final_answer?: boolean
  readonly tool_call?: Call | null
}

export interface ActionOutput {
  readonly output?: Json
  readonly is_final_answer?: boolean
}

export interface TokenUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
}

export interface Timing {
  readonly start_time?: number | null
  readonly end_time?: number | null
  readonly duration?: number | null
}

/** The common fields of both step types with a model call. */
export interface ModelStep {
  readonly type?: string
  readonly timing?: Timing | null
  /** In older versions. */
  readonly duration?: number | null
  readonly token_usage?: TokenUsage | null
  readonly model_input_messages?: readonly Json[] | null
  readonly model_output_message?: { readonly content?: Content; readonly raw?: Json } | null
}

export interface PlanningStep extends ModelStep {
  readonly plan: string
}

export interface ActionStep extends ModelStep {
  readonly step_number: number
  readonly tool_calls?: readonly Call[] | null
  /** Some hosts write only the message of an error. */
  readonly error?: Failure | string | null
  readonly model_output?: Content
  readonly code_action?: string | null
  readonly observations?: string | null
  readonly observations_images?: readonly Json[] | null
  readonly action_output?: Json
  readonly is_final_answer?: boolean
}

/** A text, or the parts of a message. */
export type Content = string | readonly JsonObject[] | null | undefined

export interface TaskStep {
  readonly task: string
  readonly task_images?: readonly Json[] | null
}

export interface Failure {
  readonly type?: string
  readonly message?: string
  readonly error?: string
}

/** The text of a content; parts without text add nothing. */
export function textOf(content: Content): string | undefined {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return undefined
  return content.map((part) => (typeof part.text === 'string' ? part.text : '')).join('')
}
