import type { Json, JsonObject } from '../../json.ts'

/** The same fields under each of several types: one literal per member, so that a table can select by it. */
type Each<Type extends string, Fields> = Type extends string ? { readonly type: Type } & Fields : never

/** The item of an event. Some gateways give an item a different id in every event: then only its index is reliable. */
export interface ItemRef {
  readonly item_id?: string | null
  readonly output_index?: number | null
}

export interface PartRef extends ItemRef {
  readonly content_index?: number | null
  readonly summary_index?: number | null
}

/** The stream of OpenAI and of compatible vendors, as far as it is read. */
export type RawEvent =
  | Each<'response.created' | 'response.queued' | 'response.in_progress' | Terminal, { readonly response: RawResponse }>
  | ({ readonly type: 'error' } & RawError & { readonly error?: RawError | string | null })
  | Each<'response.output_item.added' | 'response.output_item.done', ItemRef & { readonly item: RawItem }>
  | Each<
      | 'response.content_part.added'
      | 'response.content_part.done'
      | 'response.reasoning_summary_part.added'
      | 'response.reasoning_summary_part.done',
      PartRef & { readonly part: RawPart }
    >
  | Each<ProseDelta, PartRef & { readonly delta: string }>
  | Each<
      | 'response.output_text.done'
      | 'response.reasoning_text.done'
      | 'response.reasoning_summary_text.done'
      | 'response.reasoning.done'
      | 'response.reasoning_summary.done',
      PartRef & { readonly text?: string | null; readonly logprobs?: readonly Json[] | null }
    >
  | Each<'response.refusal.done', PartRef & { readonly refusal?: string | null }>
  | Each<AnnotationAdded, PartRef & { readonly annotation: Annotation }>
  | Each<ArgumentsDelta | CodeDelta | 'response.custom_tool_call_input.delta' | DiffDelta, ItemRef & Delta>
  | Each<ArgumentsDone, ItemRef & { readonly arguments?: Json }>
  | Each<'response.custom_tool_call_input.done', ItemRef & { readonly input?: string | null }>
  | Each<CodeDone, ItemRef & { readonly code?: string | null }>
  | Each<'response.apply_patch_call_operation_diff.done', ItemRef & { readonly diff?: string | null }>
  | Each<'response.shell_call_command.added' | 'response.shell_call_command.done', ItemRef & Command>
  | Each<'response.shell_call_command.delta', ItemRef & Command & Delta>
  | Each<'response.shell_call_output_content.delta', ItemRef & { readonly delta: ShellDelta }>
  | Each<'response.image_generation_call.partial_image', ItemRef & PartialImage>
  | Each<'response.audio.delta' | 'response.audio.transcript.delta', Delta>
  | Each<Silent, object>

type Terminal =
  | 'response.completed'
  | 'response.done'
  | 'response.incomplete'
  | 'response.failed'
  | 'response.cancelled'

type ProseDelta =
  | 'response.output_text.delta'
  | 'response.refusal.delta'
  | 'response.reasoning_text.delta'
  | 'response.reasoning_summary_text.delta'
  | 'response.reasoning.delta'
  | 'response.reasoning_summary.delta'

/** Types that were renamed are read under both names. */
type AnnotationAdded = 'response.output_text.annotation.added' | 'response.output_text_annotation.added'
type ArgumentsDelta =
  | 'response.function_call_arguments.delta'
  | 'response.mcp_call_arguments.delta'
  | 'response.mcp_call.arguments_delta'
type ArgumentsDone =
  | 'response.function_call_arguments.done'
  | 'response.mcp_call_arguments.done'
  | 'response.mcp_call.arguments_done'
type CodeDelta = 'response.code_interpreter_call_code.delta' | 'response.code_interpreter_call.code.delta'
type CodeDone = 'response.code_interpreter_call_code.done' | 'response.code_interpreter_call.code.done'
type DiffDelta = 'response.apply_patch_call_operation_diff.delta'

/** Types that carry no content: it arrives with its item. */
type Silent =
  | 'keepalive'
  | 'ping'
  | 'response.audio.done'
  | 'response.audio.transcript.done'
  | 'response.compaction.compacting'
  | 'response.shell_call_output_content.done'

interface Delta {
  readonly delta: string
}

interface Command {
  readonly command_index?: number | null
  readonly command?: string | null
}

interface ShellDelta {
  readonly stdout?: string | null
  readonly stderr?: string | null
}

interface PartialImage {
  readonly partial_image_b64?: string | null
  readonly partial_image_index?: number | null
  readonly output_format?: string | null
}

export interface RawError {
  readonly code?: string | number | null
  readonly type?: string | null
  readonly message?: string | null
  readonly param?: Json
}

export interface RawResponse {
  readonly id?: string | null
  readonly object?: string
  readonly status?: string | null
  readonly model?: string | null
  readonly output?: readonly RawItem[] | null
  readonly usage?: RawUsage | null
  readonly error?: RawError | null
  readonly incomplete_details?: { readonly reason?: string | null } | null
  readonly created_at?: number | null
  readonly completed_at?: number | null
  readonly [other: string]: unknown
}

/** `input_tokens` include cached tokens, `output_tokens` include reasoning. */
export interface RawUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly total_tokens?: number | null
  readonly input_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null
  readonly cost?: number | { readonly total_cost?: number | null } | null
  readonly cost_in_usd_ticks?: number | null
  readonly [other: string]: unknown
}

/** A part of a message or of reasoning. */
export interface RawPart {
  readonly type: string
  readonly text?: string | null
  readonly refusal?: string | null
  readonly annotations?: readonly Annotation[] | null
  readonly transcript?: string | null
  readonly data?: string | null
  readonly audio?: string | null
  readonly format?: string | null
}

/** One item of the output. Its type decides which fields it has; fields that are not named here are kept unchanged. */
export interface RawItem {
  readonly type: string
  readonly id?: string | null
  readonly status?: string | null
  readonly phase?: string | null
  readonly content?: readonly RawPart[] | string | null
  readonly summary?: readonly RawPart[] | null
  readonly encrypted_content?: string | null
  readonly call_id?: string | null
  readonly name?: string | null
  readonly namespace?: string | null
  readonly caller?: { readonly type?: string; readonly caller_id?: string | null } | null
  readonly arguments?: Json
  readonly input?: Json
  readonly action?: JsonObject | null
  readonly operation?: JsonObject | null
  readonly code?: string | null
  readonly output?: Json
  readonly error?: Json
  readonly server_label?: string | null
  readonly approval_request_id?: string | null
  readonly [other: string]: Json | undefined | readonly RawPart[]
}

/** A reference in a text. */
export interface Annotation {
  readonly type: string
  readonly url?: string | null
  readonly title?: string | null
  readonly filename?: string | null
  readonly file_id?: string | null
  readonly container_id?: string | null
  /** In Chat Completions the citation is nested one level deeper. */
  readonly url_citation?: { readonly url?: string | null; readonly title?: string | null } | null
}
