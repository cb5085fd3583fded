import type { Json, JsonObject } from '../../json.ts'

/** The records of a Converse stream by name: the fields that are read. */
export interface RawEvents {
  readonly messageStart: { readonly role?: string }
  readonly contentBlockStart: { readonly contentBlockIndex: number; readonly start?: BlockStart | null }
  readonly contentBlockDelta: { readonly contentBlockIndex: number; readonly delta: Delta }
  readonly contentBlockStop: { readonly contentBlockIndex: number }
  readonly messageStop: { readonly stopReason?: string | null; readonly additionalModelResponseFields?: Json }
  readonly metadata: Details
}

export type EventName = keyof RawEvents

export interface BlockStart {
  readonly toolUse?: ToolUse | null
  readonly toolResult?: ToolResult | null
  readonly image?: { readonly format?: string | null } | null
}

/** `type` names tools that Bedrock runs itself. */
export interface ToolUse {
  readonly toolUseId?: string | null
  readonly name: string
  readonly type?: string | null
  readonly input?: Json
}

export interface ToolResult {
  readonly toolUseId: string
  readonly type?: string | null
  readonly status?: string | null
  readonly content?: readonly Json[] | null
}

/** A union: one field is present, the others are absent or `null`. */
export interface Delta {
  readonly text?: string | null
  readonly reasoningContent?: ReasoningDelta | null
  readonly toolUse?: { readonly input?: Json } | null
  readonly toolResult?: readonly Json[] | null
  readonly citation?: Citation | null
  readonly image?: Media | null
}

export interface ReasoningDelta {
  readonly text?: string | null
  readonly signature?: string | null
  readonly redactedContent?: string | null
}

export type Citation = {
  readonly title?: string | null
  readonly source?: string | null
  readonly sourceContent?: readonly { readonly text?: string | null }[] | null
  readonly location?: { readonly [kind: string]: JsonObject | null } | null
}

export interface Media {
  readonly format?: string | null
  readonly source?: {
    readonly bytes?: string | null
    readonly s3Location?: { readonly uri?: string | null } | null
  } | null
  readonly error?: { readonly message?: string | null } | null
}

/** The fields of a response beside its content. */
export interface Details {
  readonly usage?: JsonObject | null
  readonly metrics?: { readonly latencyMs?: number | null } | null
  readonly trace?: JsonObject | null
  /** Padding: hides the length of a record from an eavesdropper. */
  readonly p?: string
  readonly [other: string]: unknown
}

/** A failure is a record of its own, named after what failed. */
export interface Failure {
  readonly message?: string | null
  readonly Message?: string | null
  readonly originalMessage?: string | null
  readonly originalStatusCode?: number | null
}

/** The answer of Converse without streaming. */
export interface WholeResponse extends Details {
  readonly output: { readonly message: { readonly content: readonly WholeBlock[] } }
  readonly stopReason?: string | null
  readonly additionalModelResponseFields?: Json
}

export interface WholeBlock {
  readonly text?: string | null
  readonly toolUse?: ToolUse | null
  readonly toolResult?: ToolResult | null
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text?: string | null; readonly signature?: string | null } | null
    readonly redactedContent?: string | null
  } | null
  readonly citationsContent?: {
    readonly content?: readonly { readonly text?: string | null }[] | null
    readonly citations?: readonly Citation[] | null
  } | null
  readonly image?: Media | null
}
