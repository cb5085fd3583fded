import type { Json, JsonObject } from '../../json.ts'
import type { Sparse } from '../kit/fields.ts'

/** One response chunk as Gemini sends it, as far as it is read. Python dumps have `null` for absent fields. */
export type Chunk = Other &
  Sparse<{
    candidates: readonly Candidate[]
    promptFeedback: PromptFeedback
    usageMetadata: RawUsage
    modelVersion: string
    responseId: string
    error: RawError | string
  }>

interface Other {
  readonly [field: string]: unknown
}

export type Candidate = Other &
  Sparse<{
    index: number
    content: Sparse<{ role: string; parts: readonly Part[] }>
    finishReason: string
    finishMessage: string
    groundingMetadata: GroundingMetadata
    citationMetadata: CitationMetadata
    urlContextMetadata: UrlContextMetadata
    safetyRatings: readonly Json[]
    logprobsResult: Json
  }>

/** The content fields of a part, which has one of them. */
export interface PartContent {
  readonly text: string
  readonly functionCall: FunctionCall
  readonly functionResponse: Sparse<{ id: string; name: string; response: Json; parts: readonly FilePart[] }>
  readonly executableCode: Sparse<{ id: string; language: string; code: string }>
  readonly codeExecutionResult: Sparse<{ id: string; outcome: string; output: string }>
  readonly toolCall: Sparse<{ id: string; toolType: string; args: Json }>
  readonly toolResponse: Sparse<{ id: string; toolType: string; response: Json }>
  readonly inlineData: RawFile
  readonly fileData: RawFile
  readonly audioTranscription: JsonObject
}

export type Part = Sparse<PartContent & { thought: boolean; thoughtSignature: string }>

type FilePart = Pick<Part, 'inlineData' | 'fileData'>

export type FunctionCall = Sparse<{
  id: string
  name: string
  args: Json
  partialArgs: readonly PartialArg[]
  willContinue: boolean
}>

/** A part of a streamed argument: the value at a JSON path, or more of the text there. */
export type PartialArg = { readonly jsonPath: string } & Sparse<{
  stringValue: string
  numberValue: number
  boolValue: boolean
  nullValue: Json
  willContinue: boolean
}>

/** Inline data has its bytes, file data an address. */
export type RawFile = Sparse<{ mimeType: string; data: string; fileUri: string; displayName: string }>

export type GroundingMetadata = Other &
  Sparse<{ groundingChunks: readonly GroundingChunk[]; groundingSupports: readonly GroundingSupport[] }>

/** By the kind of its origin: the details of a source. */
export type GroundingChunk = { readonly [kind: string]: Found | null | undefined }

export type Found = Sparse<{
  uri: string
  sourceUri: string
  title: string
  documentName: string
  text: string
  mimeType: string
}>

/** Indices are bytes of the UTF-8 of one part of the assembled content. */
export type Segment = Sparse<{ partIndex: number; startIndex: number; endIndex: number; text: string }>

export type GroundingSupport = Sparse<{
  segment: Segment
  groundingChunkIndices: readonly number[]
  confidenceScores: readonly number[]
}>

/** Vertex has `citations`, the developer API `citationSources`. */
export type CitationMetadata = Sparse<{ citations: readonly CitedSource[]; citationSources: readonly CitedSource[] }>

export type CitedSource = Sparse<{ startIndex: number; endIndex: number; uri: string; title: string; license: string }>

export type UrlContextMetadata = Sparse<{
  urlMetadata: readonly Sparse<{ retrievedUrl: string; urlRetrievalStatus: string }>[]
}>

export type PromptFeedback = Sparse<{ blockReason: string; blockReasonMessage: string }>

/** Every count is of the whole response so far. Candidates exclude thoughts, the prompt excludes tokens of tools. */
export type RawUsage = Other &
  Sparse<{
    promptTokenCount: number
    toolUsePromptTokenCount: number
    candidatesTokenCount: number
    thoughtsTokenCount: number
    cachedContentTokenCount: number
  }>

export type RawError = Sparse<{ code: number | string; message: string; status: string; details: Json }>
