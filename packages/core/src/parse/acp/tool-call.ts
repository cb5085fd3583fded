import type { Json } from '../../json.ts'
import type { Content } from './prose.ts'

/** A tool call, or the changed fields of one. `content` replaces the earlier content. */
export interface ToolCall {
  readonly toolCallId: string
  readonly title?: string | null
  readonly name?: string | null
  readonly kind?: string | null
  readonly status?: string | null
  readonly content?: readonly ToolContent[] | null
  readonly locations?: readonly Json[] | null
  readonly rawInput?: Json
  readonly rawOutput?: Json
  readonly _meta?: ToolMeta | null
  /** Whether a person is asked about it: its input is final then. */
  readonly isAsked?: boolean
}

export type ToolContent = { readonly type: string; readonly content?: Content; readonly terminalId?: string }

/** Fields that agents add for their own clients. */
interface ToolMeta {
  readonly claudeCode?: { readonly toolName?: string; readonly parentToolUseId?: string } | null
  /** The output of a terminal. */
  readonly terminal_output?: { readonly data?: string } | null
  /** Qwen announces a call as `preparing` before its input is there. */
  readonly phase?: string | null
}

/** A call with the fields of its announcement that an update does not change. */
export function withFieldsOf(before: ToolCall | undefined, latest: ToolCall): ToolCall {
  if (before === undefined) return latest
  const changed = Object.entries(latest).filter(([, field]) => field !== undefined && field !== null)
  return { ...before, ...Object.fromEntries(changed) }
}
