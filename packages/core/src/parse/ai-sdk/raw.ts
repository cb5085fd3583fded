import type { Json, JsonObject } from '../../json.ts'

/** Provider → key → value; the marks of Millrace are under `millrace`. */
export type ProviderMetadata = { readonly [provider: string]: Json }

interface Part {
  readonly providerMetadata?: ProviderMetadata | null
}

type Event<Type extends string, Fields = object> = Type extends string ? { readonly type: Type } & Fields : never

/**
 * Three streams that share their types: chunks of a UI message, parts of `fullStream`, and the parts of a provider. A
 * field with different names is read from the one that is present.
 */
export type RawEvent =
  | Event<'start', { readonly messageId?: string | null; readonly messageMetadata?: Json }>
  | Event<'finish', Finish>
  | Event<'abort', { readonly reason?: Json }>
  | Event<'error', { readonly errorText?: string; readonly error?: Json }>
  | Event<'message-metadata', { readonly messageMetadata?: Json }>
  | Event<'start-step', { readonly request?: JsonObject | null; readonly warnings?: readonly Json[] | null }>
  | Event<'finish-step', FinishStep>
  | Event<'reset-step'>
  | Event<'text-start' | 'reasoning-start', Part & { readonly id: string }>
  | Delta
  | Event<'text-end' | 'reasoning-end', Part & { readonly id: string; readonly citations?: readonly Json[] | null }>
  | Event<'tool-input-start', CallFields>
  | Event<'tool-input-delta', CallId & { readonly inputTextDelta?: string; readonly delta?: string }>
  | Event<'tool-input-end'>
  | Event<'tool-input-available', CallFields & { readonly input?: Json }>
  | Event<
      'tool-input-error',
      CallFields & { readonly input?: Json; readonly rawInput?: Json; readonly errorText?: string }
    >
  | Event<'tool-call', CallFields & { readonly input?: Json; readonly invalid?: boolean | null; readonly error?: Json }>
  | Event<'tool-output-available', CallFields & { readonly output?: Json; readonly preliminary?: boolean | null }>
  | Event<'tool-output-error', CallFields & { readonly errorText?: string }>
  | Event<'tool-output-denied', CallFields>
  | Event<'tool-result', CallFields & ProviderResult>
  | Event<'tool-error', CallFields & { readonly input?: Json; readonly error?: Json }>
  | Event<'tool-approval-request', ApprovalRequest>
  | Event<'tool-approval-response', ApprovalResponse>
  | Event<'source-url' | 'source-document' | 'source', Part & SourceFields>
  | Event<'file' | 'reasoning-file', Part & FileFields>
  | Event<'custom', Part & { readonly kind: string }>
  | Event<'steering-message', Steering>
  | Event<'stream-start', { readonly warnings?: readonly Json[] | null }>
  | Event<'response-metadata', { readonly id?: string; readonly modelId?: string }>
  | Event<'raw'>
  | Event<'ping'>

/** A delta is `delta` in a UI message and from a provider, `text` in `fullStream`. */
export type Delta = Event<
  'text-delta' | 'reasoning-delta',
  Part & { readonly id: string; readonly delta?: string; readonly text?: string }
>

/** A call's id is `id` while its input streams in `fullStream`. */
interface CallId {
  readonly toolCallId?: string
  readonly id?: string
}

export interface CallFields extends CallId, Part {
  readonly toolName?: string
  /** Sent by hand-written servers instead of `toolName`. */
  readonly name?: string
  readonly providerExecuted?: boolean | null
  readonly title?: string | null
  readonly toolMetadata?: JsonObject | null
}

interface ProviderResult {
  readonly input?: Json
  readonly output?: Json
  readonly result?: Json
  readonly isError?: boolean | null
  readonly preliminary?: boolean | null
}

export type ToolCall = { readonly toolCallId?: string; readonly toolName?: string; readonly input?: Json }

export interface ApprovalRequest extends Part {
  readonly approvalId: string
  readonly toolCallId?: string
  readonly toolCall?: ToolCall
  readonly reason?: string | null
  readonly approvalDescriptor?: Json
  readonly inputSchemaInput?: Json
  readonly isAutomatic?: boolean | null
  readonly signature?: string | null
}

export interface ApprovalResponse extends Part {
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string | null
  readonly toolCall?: ToolCall
}

export interface SourceFields {
  readonly sourceId?: string
  readonly id?: string
  readonly sourceType?: string
  readonly url?: string | null
  readonly title?: string | null
  readonly mediaType?: string | null
  readonly filename?: string | null
}

export interface FileFields {
  readonly url?: string | null
  readonly mediaType?: string
  /** A provider gives the content itself. */
  readonly data?: Json
  readonly file?: { readonly mediaType?: string; readonly base64?: string; readonly base64Data?: string }
}

export interface Finish {
  /** A provider gives its own reason beside the common one. */
  readonly finishReason?: string | { readonly unified?: string; readonly raw?: string | null } | null
  readonly rawFinishReason?: string | null
  readonly messageMetadata?: Json
  readonly totalUsage?: JsonObject | null
  readonly usage?: JsonObject | null
  readonly providerMetadata?: ProviderMetadata | null
}

export interface FinishStep extends Omit<Finish, 'messageMetadata' | 'totalUsage'> {
  readonly response?: (JsonObject & { readonly modelId?: string }) | null
}

export interface Steering {
  readonly id?: string
  readonly parts?: readonly Json[]
  readonly message?: { readonly content?: Json }
}

/** A part of an application: its name is the rest of its type. */
export interface DataPart {
  readonly type: `data-${string}`
  readonly data: Json
  readonly id?: string | null
  readonly transient?: boolean | null
  readonly providerMetadata?: ProviderMetadata | null
}
