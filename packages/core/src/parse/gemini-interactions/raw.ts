import type { Json } from '../../json.ts'

/** The events of an interaction, as far as they are read, by their type. */
export interface RawEvents {
  readonly 'interaction.created': { readonly interaction: Interaction }
  readonly 'interaction.status_update': StatusUpdate
  readonly 'step.start': { readonly index: number; readonly step: Step }
  readonly 'step.delta': { readonly index: number; readonly delta: Delta }
  readonly 'step.stop': { readonly index: number; readonly usage?: RawUsage; readonly step_usage?: RawUsage }
  readonly 'interaction.completed': { readonly interaction: Interaction }
  readonly error: { readonly error?: RawError | null }
  /** The types of the first releases. */
  readonly 'interaction.start': RawEvents['interaction.created']
  readonly 'content.start': { readonly index: number; readonly content: Content }
  readonly 'content.delta': RawEvents['step.delta']
  readonly 'content.stop': RawEvents['step.stop']
  readonly 'interaction.complete': RawEvents['interaction.completed']
}

/** Any event may have the usage so far. */
export interface AnyEvent {
  readonly event_type?: string
  readonly metadata?: { readonly usage?: RawUsage | null } | null
}

export interface Interaction {
  readonly id?: string | null
  readonly model?: string | null
  readonly agent?: string | null
  readonly status?: string | null
  readonly usage?: RawUsage | null
  readonly steps?: readonly Step[] | null
  readonly outputs?: readonly Content[] | null
  readonly error?: RawError | null
  readonly [other: string]: unknown
}

interface StatusUpdate {
  readonly status: string
  readonly usage?: RawUsage | null
  readonly continuation_token?: string | null
}

export interface RawError {
  readonly code?: string | number | null
  readonly message?: string | null
}

/** One item of a message, or of the summary of a thought. */
export interface Content {
  readonly type: string
  readonly text?: string | null
  readonly data?: string | null
  readonly uri?: string | null
  readonly mime_type?: string | null
  readonly annotations?: readonly Annotation[] | null
}

/** Types of calls end in `_call`, types of results in `_result`. All calls, and all results, have the same fields. */
export interface Step {
  readonly type: string
  readonly content?: readonly Content[] | null
  readonly summary?: readonly Content[] | null
  readonly signature?: string | null
  readonly id?: string | null
  readonly name?: string | null
  readonly server_name?: string | null
  readonly arguments?: Json
  readonly call_id?: string | null
  readonly result?: Json
  readonly is_error?: boolean | null
  readonly [other: string]: unknown
}

export interface Delta {
  readonly type: string
  readonly text?: string | null
  readonly content?: Content | null
  readonly signature?: string | null
  readonly annotations?: readonly Annotation[] | null
  readonly arguments?: Json
  readonly result?: Json
  readonly [other: string]: unknown
}

/** Indices are bytes of the UTF-8 of the text. */
export interface Annotation {
  readonly type: string
  readonly start_index?: number | null
  readonly end_index?: number | null
  readonly url?: string | null
  readonly document_uri?: string | null
  readonly title?: string | null
  readonly name?: string | null
  readonly file_name?: string | null
  readonly source?: string | null
}

/** Every count is of the whole interaction so far. Output excludes thoughts. */
export interface RawUsage {
  readonly total_input_tokens?: number | null
  readonly total_tool_use_tokens?: number | null
  readonly total_output_tokens?: number | null
  readonly total_thought_tokens?: number | null
  readonly total_cached_tokens?: number | null
  readonly [other: string]: unknown
}
