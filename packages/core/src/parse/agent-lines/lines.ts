import type { Json, JsonObject } from '../../json.ts'

/** One line of stdout of one of these types. Fields that a dialect omits or names differently are optional. */
type Line<Type extends string, Data> = Type extends string ? { readonly type: Type; readonly data: Data } : never

export type ProseLine =
  | Line<'text' | 'thinking' | 'delta', { readonly content: string }>
  | Line<'content', { readonly text: string }>
  | Line<'think', { readonly id?: string | null; readonly thought: string }>

export type StatusLine =
  | Line<'status' | 'warning', { readonly message: string }>
  | Line<'search_corrected', { readonly query: string }>

/** The ids of a call: not every dialect has ids, and some send empty ones. */
interface CallIds {
  readonly tool_use_id?: string | null
  readonly tool_call_id?: string | null
  readonly id?: string | null
}

export interface ToolResult extends CallIds {
  readonly name?: string
  readonly success?: boolean
  readonly is_error?: boolean
  readonly error?: Json
  readonly content?: Json
  readonly output_preview?: Json
  readonly output?: Json
}

export interface SearchResult {
  readonly name?: string
  readonly count?: number
  readonly results?: readonly { readonly title?: string; readonly url?: string }[]
}

export type ToolLine =
  | Line<'tool_call_start', { readonly id?: string | null; readonly name: string }>
  | Line<'tool_use', { readonly id?: string | null; readonly name: string; readonly input?: Json }>
  | Line<'tool_call', { readonly id?: string | null; readonly name: string; readonly arguments?: Json }>
  | Line<'function_call', { readonly id?: string | null; readonly name: string; readonly args?: Json }>
  | Line<'file_op', JsonObject & { readonly id?: string | null; readonly operation: string }>
  | Line<'search', JsonObject & { readonly id?: string | null; readonly query: string; readonly topic?: string | null }>

export type ResultLine =
  | Line<'tool_result', ToolResult>
  | Line<'function_response', CallIds & { readonly name: string; readonly response?: Json }>
  | Line<'search_result', SearchResult>
  | Line<'think_result', { readonly name?: string; readonly acknowledged?: Json }>

export interface TodoEntry {
  readonly content?: string
  readonly activeForm?: string
  readonly status?: string
}

export type PlanLine =
  | Line<'todos' | 'todo_create' | 'todo_update', { readonly items: readonly TodoEntry[] }>
  | Line<'todo_done', { readonly item?: string | TodoEntry; readonly index?: number }>
  | Line<'subagent_start', { readonly agent: string; readonly task?: string }>
  | Line<
      'subagent_spawn',
      { readonly subagent_id?: string; readonly subagent_type: string; readonly description?: string }
    >
  | Line<'subagent_complete', { readonly agent: string; readonly summary?: string }>

export type RunLine =
  | Line<'start', JsonObject & { readonly model?: string | null }>
  | Line<'model_info', JsonObject>
  | Line<'usage' | 'usage_total', JsonObject>
  | Line<'result', JsonObject & { readonly is_error?: boolean }>
  | Line<'error', { readonly message?: Json; readonly error?: Json; readonly code?: Json }>
  | Line<'done', { readonly usage?: Json }>

/** What a program that hears answers prints: a question to a person, and its own name of the conversation. */
export type DialogueLine =
  | Line<
      'ask',
      { readonly id: string; readonly message?: string; readonly request?: Json; readonly call_id?: string | null }
    >
  | Line<'session', { readonly id: string; readonly at?: string | null }>

export type AgentLine = DialogueLine | ProseLine | StatusLine | ToolLine | ResultLine | PlanLine | RunLine

/** The tools whose calls agents print as `search`; the first is the name of such a call. */
export const searchTools = ['internet_search', 'tavily_search'] as const

/** The tools whose calls agents may print as todo lines. */
export const todoTools: readonly string[] = ['write_todos', 'TodoWrite']

/** The tools whose calls agents may print as subagent lines. */
export const subagentTools: readonly string[] = ['task', 'Task', 'Agent']

/** An ISO date and time, with or without its zone. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/** The time of a line in milliseconds. A time without a zone is read as UTC, independent of the machine. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const zone = typeof value === 'string' ? ISO.exec(value) : null
  if (typeof value !== 'string' || zone === null) return undefined
  const time = Date.parse(zone[1] === undefined ? `${value}Z` : value)
  return Number.isNaN(time) ? undefined : time
}
