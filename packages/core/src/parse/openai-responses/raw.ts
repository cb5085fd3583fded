import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

/** Where an event belongs. Some gateways give an item a different id in every event: then only its index is reliable. */
export type ItemRef = Sparse<{ item_id: string; output_index: number; content_index: number; summary_index: number }>

/** One member of the union for each type. */
type Event<Type extends string, Fields> = Type extends string
  ? ItemRef & Readonly<Fields> & { readonly type: `response.${Type}` }
  : never
type Texts<Field extends string> = Sparse<Record<Field, string>>

type Lifecycle = 'created' | 'queued' | 'in_progress' | 'completed' | 'done' | 'incomplete' | 'failed' | 'cancelled'
/** Types that were renamed have both names. */
type Prose = 'output_text' | 'refusal' | 'reasoning_summary_text' | 'reasoning_summary' | 'reasoning_text' | 'reasoning'
type Arguments = 'function_call_arguments.' | 'mcp_call_arguments.' | 'mcp_call.arguments_'
type Code = 'code_interpreter_call_code' | 'code_interpreter_call.code'
type Input = Code | 'custom_tool_call_input' | 'apply_patch_call_operation_diff'

/** An event of OpenAI or of a compatible vendor, as far as it is read. */
export type RawEvent =
  | Event<Lifecycle, { response: RawResponse }>
  | Event<`output_item.${'added' | 'done'}`, { item: RawItem }>
  | Event<`${'content' | 'reasoning_summary'}_part.${'added' | 'done'}`, { part: RawPart }>
  | Event<`${Prose}.delta` | 'audio.transcript.delta', { delta: string }>
  | Event<`${Prose}.done`, { logprobs?: readonly Json[] | null } & Texts<'text' | 'refusal'>>
  | Event<`output_text${'.' | '_'}annotation.added`, { annotation: Annotation }>
  | Event<`${Arguments}delta` | `${Input}.delta`, { delta: string }>
  | Event<`${Arguments}done`, { arguments?: Json }>
  | Event<`${Input}.done`, Texts<'code' | 'input' | 'diff'>>
  | Event<`shell_call_command.${'added' | 'delta' | 'done'}`, CommandFields>
  | Event<'shell_call_output_content.delta', { delta: Json }>
  | Event<'image_generation_call.partial_image', Texts<'partial_image_b64' | 'output_format'> & PartialImage>
  | Event<'compaction.compacting' | 'shell_call_output_content.done', object>
  | Event<`audio.${'delta' | 'done' | 'transcript.done'}`, object>
  | (RawError & { readonly type: 'error'; readonly error?: RawError | string | null })
  | { readonly type: 'keepalive' }
  | { readonly type: 'ping' }

export type CommandFields = Texts<'command' | 'delta'> & Sparse<{ command_index: number }>
type PartialImage = Sparse<{ partial_image_index: number }>

export type RawError = Sparse<{ code: string | number; type: string; message: string }>

export type RawResponse = { readonly [other: string]: unknown } & Sparse<{
  id: string
  status: string
  model: string
  output: readonly RawItem[]
  usage: JsonObject
  error: RawError
  incomplete_details: Sparse<{ reason: string }>
  created_at: number
  completed_at: number
}>

/** A part of a message or of reasoning. */
export type RawPart = Texts<'text' | 'refusal' | 'transcript' | 'data' | 'audio' | 'format'> & {
  readonly type: string
  readonly annotations?: readonly Annotation[] | null
}

/** One item of the output. Its type decides which fields it has; fields that are not named here are kept unchanged. */
export interface RawItem
  extends Texts<
    'id' | 'status' | 'phase' | 'encrypted_content' | 'call_id' | 'name' | 'server_label' | 'approval_request_id'
  > {
  readonly type: string
  readonly content?: readonly RawPart[] | string | null
  readonly summary?: readonly RawPart[] | null
  readonly caller?: { readonly type?: string; readonly caller_id?: string | null } | null
  readonly arguments?: Json
  readonly action?: JsonObject | null
  readonly operation?: JsonObject | null
  readonly [other: string]: Json | undefined | readonly RawPart[]
}

/** A reference in a text. In Chat Completions the citation of a URL is nested one level deeper. */
export type Annotation = Texts<'url' | 'title' | 'filename' | 'file_id' | 'container_id'> & {
  readonly type: string
  readonly url_citation?: Texts<'url' | 'title'> | null
}
