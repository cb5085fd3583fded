import type { Json, JsonObject } from '../../json.ts'

/** The fields of any event. Before it is read, its nulls are removed and its names are in camel case. */
export interface Base {
  /** Milliseconds; some servers send seconds. */
  readonly timestamp?: number
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

type Event<Type extends string, Fields = object> = Type extends string
  ? Base & { readonly type: Type } & Readonly<Fields>
  : never

type Texts<Field extends string> = { readonly [F in Field]?: string }
type SubagentParent = 'parentSubagentRunId' | 'parentToolCallId'

interface OfMessage {
  readonly messageId?: string
}

export type TextStart = Base & OfMessage & { readonly role?: string; readonly name?: string }

export interface CallStart extends Base {
  readonly toolCallId: string
  readonly toolCallName?: string
  readonly parentMessageId?: string
}

/** The events of AG-UI: version 1.0, the drafts before it, and what servers of that time added. */
export type RawEvent =
  | Event<'RUN_STARTED', RunStarted>
  | Event<'RUN_FINISHED', RunFinished>
  | Event<'RUN_ERROR', RunFailed>
  | Event<'STEP_STARTED' | 'STEP_FINISHED', { stepName: string }>
  | Event<'TEXT_MESSAGE_START', TextStart>
  | Event<'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT', OfMessage & { delta: string }>
  | Event<'TEXT_MESSAGE_END', OfMessage>
  | Event<'TEXT_MESSAGE_CHUNK', TextStart & { delta?: string }>
  | Event<'TOOL_CALL_START', CallStart>
  | Event<'TOOL_CALL_ARGS', { toolCallId: string; delta: string }>
  | Event<'TOOL_CALL_END', { toolCallId: string }>
  | Event<'TOOL_CALL_CHUNK', Partial<CallStart> & { delta?: string }>
  | Event<'TOOL_CALL_RESULT', OfMessage & Result & { toolCallId: string }>
  | Event<'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_START' | 'REASONING_MESSAGE_END', OfMessage>
  | Event<'REASONING_MESSAGE_CHUNK', OfMessage & { delta?: string }>
  | Event<'REASONING_ENCRYPTED_VALUE', { subtype?: string; entityId: string; encryptedValue: string }>
  | Event<'THINKING_START', { title?: string }>
  | Event<'THINKING_END' | 'THINKING_TEXT_MESSAGE_START' | 'THINKING_TEXT_MESSAGE_END'>
  | Event<'THINKING_TEXT_MESSAGE_CONTENT' | 'THINKING_CONTENT', { delta: string }>
  | Event<'STATE_SNAPSHOT', { snapshot: Json }>
  | Event<'STATE_DELTA', { delta: Json }>
  | Event<'MESSAGES_SNAPSHOT', { messages: readonly RawMessage[] }>
  | Event<'ACTIVITY_SNAPSHOT', Activity & { replace?: boolean }>
  | Event<'ACTIVITY_DELTA', Omit<Activity, 'content'> & { patch: Json }>
  | Event<'SUBAGENT_STARTED', { subagentRunId: string } & Texts<'name' | 'description' | SubagentParent>>
  | Event<'SUBAGENT_FINISHED', { result?: Json; outcome?: { readonly type?: string } }>
  | Event<'SUBAGENT_ERROR', { message?: string; code?: string }>
  | Event<'RAW', { event: Json }>
  | Event<'CUSTOM', { name: string; value?: Json }>
  | Event<'USAGE_METADATA'>

export interface Activity {
  readonly messageId: string
  readonly activityType: string
  readonly content: Json
}

/** `result` and `error` are not part of the protocol; servers that follow no version send them. */
export interface Result {
  readonly content?: Json
  readonly result?: Json
  readonly error?: Json
}

export type RunStarted = Texts<'threadId' | 'runId' | 'parentRunId' | 'protocolVersion' | 'model'> & {
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
  readonly usage?: readonly JsonObject[]
}

/** Before 1.0 some servers sent `error` instead of `message`. */
export interface RunFailed {
  readonly message?: string
  readonly code?: string
  readonly error?: Json
  readonly usage?: readonly JsonObject[]
}

/** A message of a snapshot or of a run's input, with its names in camel case and without its nulls. */
export type RawMessage = Texts<'id' | 'role' | 'name' | 'toolCallId' | 'error' | 'activityType' | 'encryptedValue'> & {
  readonly content?: Json
  readonly toolCalls?: readonly RawCall[]
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

export interface RawCall {
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: Json }
  readonly encryptedValue?: string
}
