import type { Json, JsonObject } from '../../json.ts'

/** The fields of any event. Before it is read, its nulls are removed and its names are in camel case. */
export interface Base {
  /** Milliseconds; some servers send seconds. */
  readonly timestamp?: number
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

type Event<Type extends string, Fields = object> = Type extends string ? Base & { readonly type: Type } & Fields : never

interface Text {
  readonly messageId?: string
  readonly role?: string
  readonly name?: string
}

interface Call {
  readonly toolCallId: string
  readonly toolCallName?: string
  readonly parentMessageId?: string
}

interface Delta {
  readonly messageId?: string
  readonly delta: string
}

/** The events of AG-UI: version 1.0, the drafts before it, and what servers of that time added. */
export type RawEvent =
  | Event<'RUN_STARTED', RunStarted>
  | Event<'RUN_FINISHED', RunFinished>
  | Event<'RUN_ERROR', RunFailed>
  | Event<'STEP_STARTED', { readonly stepName: string }>
  | Event<'STEP_FINISHED', { readonly stepName: string }>
  | TextStart
  | Event<'TEXT_MESSAGE_CONTENT', Delta>
  | Event<'TEXT_MESSAGE_END', { readonly messageId?: string }>
  | Event<'TEXT_MESSAGE_CHUNK', Text & { readonly delta?: string }>
  | CallStart
  | Event<'TOOL_CALL_ARGS', { readonly toolCallId: string; readonly delta: string }>
  | Event<'TOOL_CALL_END', { readonly toolCallId: string }>
  | Event<'TOOL_CALL_CHUNK', Partial<Call> & { readonly delta?: string }>
  | CallResult
  | Event<'REASONING_START' | 'REASONING_END', { readonly messageId?: string }>
  | Event<'REASONING_MESSAGE_START' | 'REASONING_MESSAGE_END', { readonly messageId?: string }>
  | Event<'REASONING_MESSAGE_CONTENT', Delta>
  | Event<'REASONING_MESSAGE_CHUNK', { readonly messageId?: string; readonly delta?: string }>
  | Event<'REASONING_ENCRYPTED_VALUE', EncryptedValue>
  | Event<'THINKING_START', { readonly title?: string }>
  | Event<'THINKING_END' | 'THINKING_TEXT_MESSAGE_START' | 'THINKING_TEXT_MESSAGE_END'>
  | Event<'THINKING_TEXT_MESSAGE_CONTENT' | 'THINKING_CONTENT', { readonly delta: string }>
  | Event<'STATE_SNAPSHOT', { readonly snapshot: Json }>
  | Event<'STATE_DELTA', { readonly delta: Json }>
  | Event<'MESSAGES_SNAPSHOT', { readonly messages: readonly RawMessage[] }>
  | ActivitySnapshot
  | Event<'ACTIVITY_DELTA', { readonly messageId: string; readonly activityType: string; readonly patch: Json }>
  | SubagentStarted
  | Event<'SUBAGENT_FINISHED', { readonly result?: Json; readonly outcome?: { readonly type?: string } }>
  | Event<'SUBAGENT_ERROR', { readonly message?: string; readonly code?: string }>
  | Event<'RAW', { readonly event: Json }>
  | Event<'CUSTOM', { readonly name: string; readonly value?: Json }>
  | Event<'USAGE_METADATA', { readonly [count: string]: unknown }>

export type TextStart = Event<'TEXT_MESSAGE_START', Text>
export type CallStart = Event<'TOOL_CALL_START', Call>
export type CallResult = Event<
  'TOOL_CALL_RESULT',
  Result & { readonly toolCallId: string; readonly messageId?: string }
>
export type ActivitySnapshot = Event<'ACTIVITY_SNAPSHOT', Activity & { readonly replace?: boolean }>
export type SubagentStarted = Event<'SUBAGENT_STARTED', Subagent>

export interface Activity {
  readonly messageId: string
  readonly activityType: string
  readonly content: Json
}

interface Subagent {
  readonly subagentRunId: string
  readonly name?: string
  readonly description?: string
  readonly parentSubagentRunId?: string
  readonly parentToolCallId?: string
  readonly parentMessageId?: string
}

/** `result` and `error` are not part of the protocol; servers that follow no version send them. */
export interface Result {
  readonly content?: Json
  readonly result?: Json
  readonly error?: Json
}

export interface RunStarted {
  readonly threadId?: string
  readonly runId?: string
  readonly parentRunId?: string
  readonly protocolVersion?: string
  readonly model?: string
  readonly input?: JsonObject & { readonly messages?: readonly RawMessage[]; readonly resume?: readonly Resumption[] }
}

/** The answer to an interrupt of the run before. */
export type Resumption = { readonly interruptId: string; readonly status?: string; readonly payload?: Json }

export type Interrupt = JsonObject & { readonly id?: string; readonly toolCallId?: string; readonly message?: string }

export type Outcome = {
  readonly type?: string
  readonly interrupts?: readonly Interrupt[]
  readonly pendingToolCallIds?: readonly string[]
}

export interface RunFinished {
  readonly result?: Json
  /** A string in the drafts, with `interrupt` beside it. */
  readonly outcome?: Outcome | string
  readonly interrupt?: Interrupt
  readonly usage?: readonly TokenUsage[]
}

/** Before 1.0 some servers sent `error` instead of `message`. */
export interface RunFailed {
  readonly message?: string
  readonly code?: string
  readonly error?: Json
  readonly usage?: readonly TokenUsage[]
}

export interface EncryptedValue {
  readonly subtype?: string
  readonly entityId: string
  readonly encryptedValue: string
}

export interface TokenUsage {
  readonly model?: string | null
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
  readonly reasoningTokens?: number | null
  readonly cachedInputTokens?: number | null
  readonly cacheWriteInputTokens?: number | null
}

/** A message of a snapshot or of a run's input, with its names in camel case and without its nulls. */
export interface RawMessage {
  readonly id?: string
  readonly role?: string
  readonly name?: string
  readonly content?: Json
  readonly toolCalls?: readonly RawCall[]
  readonly toolCallId?: string
  readonly error?: string
  readonly activityType?: string
  readonly encryptedValue?: string
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

export interface RawCall {
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: Json }
  readonly encryptedValue?: string
}
