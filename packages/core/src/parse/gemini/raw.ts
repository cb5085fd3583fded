import type { Json, JsonObject } from '../../json.ts'

/** One response chunk as Gemini sends it, as far as it is read. Python dumps have `null` for absent fields. */
export interface Chunk {
  readonly candidates?: readonly Candidate[] | null
  readonly promptFeedback?: PromptFeedback | null
  readonly usageMetadata?: RawUsage | null
  readonly modelVersion?: string | null
  readonly responseId?: string | null
  readonly error?: RawError | string | null
  readonly [other: string]: unknown
}

export interface Candidate {
  readonly index?: number | null
  readonly content?: { readonly role?: string | null; readonly parts?: readonly Part[] | null } | null
  readonly finishReason?: string | null
  readonly finishMessage?: string | null
  readonly groundingMetadata?: GroundingMetadata | null
  readonly citationMetadata?: CitationMetadata | null
  readonly urlContextMetadata?: UrlContextMetadata | null
  readonly safetyRatings?: readonly Json[] | null
  readonly logprobsResult?: Json
  readonly [other: string]: unknown
}

/** The content fields of a part, which has one of them. */
export interface PartContent {
  readonly text: string
  readonly functionCall: FunctionCall
  readonly functionResponse: FunctionResponse
  readonly executableCode: { readonly id?: string | null; readonly language?: string | null; readonly code: string }
  readonly codeExecutionResult: CodeExecutionResult
  readonly toolCall: { readonly id?: string | null; readonly toolType?: string | null; readonly args?: Json }
  readonly toolResponse: { readonly id?: string | null; readonly toolType?: string | null; readonly response?: Json }
  readonly inlineData: InlineData
  readonly fileData: FileData
  readonly audioTranscription: JsonObject
}

export type Part = { readonly [Field in keyof PartContent]?: PartContent[Field] | null } & {
  readonly thought?: boolean | null
  readonly thoughtSignature?: string | null
}

export interface FunctionCall {
  readonly id?: string | null
  readonly name?: string | null
  readonly args?: Json
  readonly partialArgs?: readonly PartialArg[] | null
  readonly willContinue?: boolean | null
}

/** A part of a streamed argument: the value at a JSON path, or more of the text there. */
export interface PartialArg {
  readonly jsonPath: string
  readonly stringValue?: string | null
  readonly numberValue?: number | null
  readonly boolValue?: boolean | null
  readonly nullValue?: Json
  readonly willContinue?: boolean | null
}

export interface FunctionResponse {
  readonly id?: string | null
  readonly name?: string | null
  readonly response?: Json
  readonly parts?: readonly { readonly inlineData?: InlineData | null; readonly fileData?: FileData | null }[] | null
}

export interface CodeExecutionResult {
  readonly id?: string | null
  readonly outcome?: string | null
  readonly output?: string | null
}

export interface InlineData {
  readonly mimeType?: string | null
  readonly data?: string | null | undefined
  readonly displayName?: string | null
}

export interface FileData {
  readonly mimeType?: string | null
  readonly fileUri?: string | null
  readonly displayName?: string | null
}

export interface GroundingMetadata {
  readonly groundingChunks?: readonly GroundingChunk[] | null
  readonly groundingSupports?: readonly GroundingSupport[] | null
  readonly [other: string]: unknown
}

/** By the kind of its origin: the details of a source. */
export type GroundingChunk = { readonly [kind: string]: Found | null | undefined }

export interface Found {
  readonly uri?: string | null
  readonly sourceUri?: string | null
  readonly title?: string | null
  readonly documentName?: string | null
  readonly text?: string | null
  readonly mimeType?: string | null
}

/** Indices are bytes of the UTF-8 of one part of the assembled content. */
export interface Segment {
  readonly partIndex?: number | null
  readonly startIndex?: number | null
  readonly endIndex?: number | null
  readonly text?: string | null
}

export interface GroundingSupport {
  readonly segment?: Segment | null
  readonly groundingChunkIndices?: readonly number[] | null
  readonly confidenceScores?: readonly number[] | null
}

/** Vertex has `citations`, the developer API `citationSources`. */
export interface CitationMetadata {
  readonly citations?: readonly CitedSource[] | null
  readonly citationSources?: readonly CitedSource[] | null
}

export interface CitedSource {
  readonly startIndex?: number | null
  readonly endIndex?: number | null
  readonly uri?: string | null
  readonly title?: string | null
  readonly license?: string | null
}

export interface UrlContextMetadata {
  readonly urlMetadata?:
    | readonly { readonly retrievedUrl?: string | null; readonly urlRetrievalStatus?: string | null }[]
    | null
}

export interface PromptFeedback {
  readonly blockReason?: string | null
  readonly blockReasonMessage?: string | null
}

/** Every count is of the whole response so far. Candidates exclude thoughts, the prompt excludes tokens of tools. */
export interface RawUsage {
  readonly promptTokenCount?: number | null
  readonly toolUsePromptTokenCount?: number | null
  readonly candidatesTokenCount?: number | null
  readonly thoughtsTokenCount?: number | null
  readonly cachedContentTokenCount?: number | null
  readonly [other: string]: unknown
}

export interface RawError {
  readonly code?: number | string | null
  readonly message?: string | null
  readonly status?: string | null
  readonly details?: Json
}
