import type { Json, JsonObject } from '../../json.ts'

/** A JSON-RPC message of either side: the fields that are read. */
export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject | null
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: Json } | null
}

/** What an agent reports about a session. */
export interface Notification {
  readonly sessionId?: string
  readonly update: Update
}

export type Update = JsonObject & { readonly sessionUpdate: string }

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio'
      readonly data?: string | null
      readonly mimeType: string
      readonly uri?: string | null
    }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name?: string | null
      readonly title?: string | null
      readonly mimeType?: string | null
      readonly description?: string | null
    }
  | { readonly type: 'resource'; readonly resource: Resource }

interface Resource {
  readonly uri: string
  readonly mimeType?: string | null
  readonly text?: string
  readonly blob?: string
}

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
}

export type ToolContent = { readonly type: string; readonly content?: Content; readonly terminalId?: string }

/** Fields that agents add for their own clients. */
export interface ToolMeta {
  readonly claudeCode?: { readonly toolName?: string; readonly parentToolUseId?: string } | null
  readonly terminal_output?: { readonly data?: string } | null
}

export interface Permission {
  readonly toolCall?: ToolCall | null
  readonly subject?: { readonly toolCall?: ToolCall | null } | null
  readonly title?: string | null
  readonly options?: readonly { readonly optionId: string; readonly kind?: string }[] | null
}

export interface RawUsage {
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
  readonly thoughtTokens?: number | null
  readonly cachedReadTokens?: number | null
  readonly cachedWriteTokens?: number | null
}
