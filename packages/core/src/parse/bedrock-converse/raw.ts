import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

/** The records of a Converse stream by name: the fields that are read. */
export interface RawEvents {
  readonly messageStart: { readonly role?: string }
  readonly contentBlockStart: { readonly contentBlockIndex: number; readonly start?: BlockStart | null }
  readonly contentBlockDelta: { readonly contentBlockIndex: number; readonly delta: Delta }
  readonly contentBlockStop: { readonly contentBlockIndex: number }
  readonly messageStop: Stop
  readonly metadata: Details
}

export type EventName = keyof RawEvents

type Stop = Sparse<{ stopReason: string; additionalModelResponseFields: Json }>

export type BlockStart = Sparse<{ toolUse: ToolUse; toolResult: ToolResult; image: Sparse<{ format: string }> }>

/** `type` names tools that Bedrock runs itself. */
export type ToolUse = { readonly name: string } & Sparse<{ toolUseId: string; type: string; input: Json }>

export type ToolResult = { readonly toolUseId: string } & Sparse<{
  type: string
  status: string
  content: readonly Json[]
}>

/** A union: one field is present, the others are absent or `null`. */
export type Delta = Sparse<{
  text: string
  reasoningContent: ReasoningDelta
  toolUse: { readonly input?: Json }
  toolResult: readonly Json[]
  citation: Citation
  image: Media
}>

export type ReasoningDelta = Sparse<{ text: string; signature: string; redactedContent: string }>

type Text = Sparse<{ text: string }>

export type Citation = Sparse<{
  title: string
  source: string
  sourceContent: readonly Text[]
  location: { readonly [kind: string]: JsonObject | null }
}>

export type Media = Sparse<{
  format: string
  source: Sparse<{ bytes: string; s3Location: Sparse<{ uri: string }> }>
  error: Sparse<{ message: string }>
}>

/** The fields of a response beside its content. */
export type Details = { readonly [other: string]: unknown } & Sparse<{
  usage: JsonObject
  metrics: Sparse<{ latencyMs: number }>
  trace: JsonObject
}>

/** A failure is a record of its own, named after what failed. */
export type Failure = Sparse<{
  message: string
  Message: string
  originalMessage: string
  originalStatusCode: number
}>

/** The answer of Converse without streaming. */
export type WholeResponse = Details &
  Stop & { readonly output: { readonly message: { readonly content: readonly WholeBlock[] } } }

export type WholeBlock = Sparse<{
  text: string
  toolUse: ToolUse
  toolResult: ToolResult
  reasoningContent: Sparse<{ reasoningText: Sparse<{ text: string; signature: string }>; redactedContent: string }>
  citationsContent: Sparse<{ content: readonly Text[]; citations: readonly Citation[] }>
  image: Media
}>
