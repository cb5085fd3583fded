import type { Json } from '../json.ts'

// Arrays are mutable, because the types of the provider's own library take no readonly ones.

export interface ChatText {
  readonly type: 'text'
  readonly text: string
}

export type ChatMedia =
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' } }
  | { readonly type: 'file'; readonly file: { readonly file_data: string; readonly filename: string } }

/** A thought as Mistral takes it. */
export interface ChatThinking {
  readonly type: 'thinking'
  readonly thinking: ChatText[]
  readonly closed: true
}

export interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** What Gemini's compatible service wants back. */
  readonly extra_content?: Json
}

export interface ChatCustomCall {
  readonly id: string
  readonly type: 'custom'
  readonly custom: { readonly name: string; readonly input: string }
}

export type ChatMessage<File = never> =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | (ChatText | ChatMedia | File)[] }
  | ChatAssistant
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatAssistant {
  readonly role: 'assistant'
  readonly content: string | null | (ChatText | ChatThinking)[]
  readonly refusal?: string
  readonly tool_calls?: (ChatCall | ChatCustomCall)[]
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly reasoning_details?: Json[]
}
