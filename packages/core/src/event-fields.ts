import type { JsonObject } from './json.ts'

/** Values that a provider expects back unchanged: provider → key → JSON. */
export type Meta = { readonly [provider: string]: JsonObject }

/** Fields that any event may carry. An absent field is left out, never `null`. */
export interface Common {
  readonly messageId?: string
  /** The invocation of a subagent; absent for the main agent. */
  readonly agentId?: string
  /** Milliseconds on the framework's own clock, if the record has a time. */
  readonly sentAt?: number
  readonly meta?: Meta
}

export type Role = 'user' | 'assistant' | 'system' | 'tool'
export type Outcome = 'success' | 'error' | 'interrupted' | 'cancelled' | 'awaiting-input'
export type BlockKind = 'text' | 'reasoning'
export type BlockVariant =
  | 'thinking'
  | 'plan'
  | 'summary'
  | 'commentary'
  | 'refusal'
  | 'redacted'
  | 'think-tool'
  | 'think-tag'
export type RunBy = 'agent' | 'provider' | 'client'
export type ToolStatus = 'ok' | 'error' | 'denied' | 'cancelled'
export type ApprovalState = 'requested' | 'approved' | 'denied' | 'answered' | 'expired'
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled'
export type SubagentStatus = 'done' | 'failed' | 'cancelled' | 'interrupted'
export type StatusLevel = 'info' | 'warn' | 'error'

export interface RunError {
  readonly message: string
  readonly code?: string
  readonly name?: string
}

export interface TodoItem {
  readonly id: string
  readonly content: string
  readonly status: TodoStatus
}

/** A source that an answer names: by its address, by its title, or by both. */
export type AnswerSource = {
  readonly url?: string
  readonly title?: string
}

/** An answer that consists of parts. `content` is Markdown. */
export type StructuredAnswer = {
  readonly title?: string
  readonly content: string
  readonly sources?: readonly AnswerSource[]
}

export interface UsageCounts {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly costUsd?: number
  readonly durationMs?: number
  readonly turns?: number
}
