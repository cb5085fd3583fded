import type { JsonObject } from '../json.ts'

// Arrays are mutable, because the types of the provider's own library take no readonly ones.

export interface GeminiBlob {
  readonly mimeType: string
  readonly data: string
  readonly displayName?: string
}

/** A part has one content, and the signature that came with it. */
export interface GeminiPart {
  readonly text?: string
  readonly thought?: true
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: Record<string, unknown> }
  readonly functionResponse?: GeminiFunctionResponse
  readonly executableCode?: JsonObject
  readonly codeExecutionResult?: JsonObject
  readonly toolCall?: JsonObject
  readonly toolResponse?: JsonObject
  readonly inlineData?: GeminiBlob
  readonly fileData?: { readonly mimeType: string; readonly fileUri: string }
}

export interface GeminiFunctionResponse {
  readonly id?: string
  readonly name: string
  readonly response: Record<string, unknown>
}

export interface GeminiContent<File = never> {
  readonly role: 'user' | 'model'
  readonly parts: (GeminiPart | File)[]
}
