import type { Json } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

/** The events of an interaction, as far as they are read, by their type. */
export interface RawEvents {
  readonly 'interaction.created': { readonly interaction: Interaction }
  readonly 'interaction.status_update': Sparse<{ status: string; usage: RawUsage; continuation_token: string }>
  readonly 'step.start': { readonly index: number; readonly step: Step }
  readonly 'step.delta': { readonly index: number; readonly delta: Delta }
  readonly 'step.stop': { readonly index: number } & Sparse<{ usage: RawUsage; step_usage: RawUsage }>
  readonly 'interaction.completed': { readonly interaction: Interaction }
  readonly error: Sparse<{ error: RawError }>
  /** Of the first releases, which had contents in place of steps. */
  readonly 'content.start': { readonly index: number; readonly content: Content }
}

/** Any event may have the usage so far. */
export interface AnyEvent {
  readonly event_type?: string
  readonly metadata?: Sparse<{ usage: RawUsage }> | null
}

interface Other {
  readonly [field: string]: unknown
}

export type Interaction = Other &
  Sparse<{
    id: string
    model: string
    agent: string
    status: string
    usage: RawUsage
    steps: readonly Step[]
    outputs: readonly Content[]
    error: RawError
  }>

export type RawError = Sparse<{ code: string | number; message: string }>

/** One item of a message, or of the summary of a thought. */
export type Content = { readonly type: string } & Sparse<{
  text: string
  data: string
  uri: string
  mime_type: string
  annotations: readonly Annotation[]
}>

/** Types of calls end in `_call`, types of results in `_result`. All calls, and all results, have the same fields. */
export type Step = StepFields & Sparse<{ content: readonly Content[]; summary: readonly Content[] }>

/** A delta has fields of its step, or of an item of its content. */
export type Delta = StepFields & Sparse<{ text: string; content: Content; annotations: readonly Annotation[] }>

export type StepFields = Other & { readonly type: string } & Sparse<{
    signature: string
    id: string
    name: string
    server_name: string
    arguments: Json
    call_id: string
    result: Json
    is_error: boolean
  }>

/** Indices are bytes of the UTF-8 of the text. */
export type Annotation = { readonly type: string } & Sparse<{
  start_index: number
  end_index: number
  url: string
  document_uri: string
  title: string
  name: string
  file_name: string
  source: string
}>

/** Every count is of the whole interaction so far. Output excludes thoughts. */
export type RawUsage = Other &
  Sparse<{
    total_input_tokens: number
    total_tool_use_tokens: number
    total_output_tokens: number
    total_thought_tokens: number
    total_cached_tokens: number
  }>
