// Arrays are mutable, because the types of the AI SDK take no readonly ones.

export type ModelJson = null | string | number | boolean | ModelJson[] | { [key: string]: ModelJson | undefined }

/** What each provider wants back, under its name in the AI SDK. */
export type ProviderOptions = Record<string, { [key: string]: ModelJson | undefined }>

interface Kept {
  readonly providerOptions?: ProviderOptions
}

export interface ModelText extends Kept {
  readonly type: 'text'
  readonly text: string
}

export interface ModelFile extends Kept {
  readonly type: 'file'
  /** Base64, or an address. */
  readonly data: string | URL
  readonly mediaType: string
  readonly filename?: string
}

export interface ModelReasoning extends Kept {
  readonly type: 'reasoning'
  readonly text: string
}

export interface ModelCall extends Kept {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: true
}

export type ModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: ModelJson }
  | { readonly type: 'execution-denied'; readonly reason?: string }

export interface ModelResult extends Kept {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ModelOutput
}

/** A message as `streamText` of the AI SDK 7 takes it. */
export type ModelMessage<File = never> =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: (ModelText | ModelFile | File)[] }
  | {
      readonly role: 'assistant'
      readonly content: (ModelText | ModelFile | ModelReasoning | ModelCall | ModelResult | File)[]
    }
  | { readonly role: 'tool'; readonly content: ModelResult[] }
