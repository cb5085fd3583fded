import type { Json } from '../../json.ts'

/** The lines of `gemini --output-format stream-json`, as far as they are read. */
export type RawLine =
  | Line<'init', { readonly session_id?: string | null; readonly model?: string | null }>
  | Line<'message', { readonly role: string; readonly content: string; readonly delta?: boolean | null }>
  | Line<'tool_use', { readonly tool_name: string; readonly tool_id: string; readonly parameters?: Json }>
  | Line<'tool_result', ToolResult>
  | Line<'error', { readonly severity?: string | null; readonly message: string }>
  | Line<'result', { readonly status: string; readonly error?: RawError | null; readonly stats?: Stats | null }>

type Line<Type extends string, Fields> = Fields & { readonly type: Type; readonly timestamp?: string | null }

export interface ToolResult {
  readonly tool_id: string
  readonly status: string
  readonly output?: Json
  readonly error?: RawError | null
}

export interface RawError {
  readonly type?: string | null
  readonly message?: string | null
}

/** Counts of the whole session. `input` is the part of `input_tokens` that was not cached. */
export interface Stats {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cached?: number | null
  readonly duration_ms?: number | null
  readonly [other: string]: unknown
}
