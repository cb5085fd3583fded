import type { Json } from '../../json.ts'

/** What later servers add to any event; the first ones send none of it. */
interface Extra {
  readonly callId?: string
  readonly parentCallId?: string
  readonly runId?: string
  readonly seq?: number
  readonly at?: number | string
}

interface Called extends Extra {
  readonly toolName?: string
}

interface Words extends Extra {
  readonly content: string
}

export interface ToolCall extends Called {
  /** JSON in a string; later servers send the value itself. */
  readonly toolArgs?: Json
}

export interface Progress extends Called {
  readonly data?: Json
}

export interface Result extends Called {
  readonly output?: Json
  readonly isError?: boolean | null
  readonly error?: Failure
}

type Failure = string | { readonly message?: string; readonly code?: string } | null

interface Failed extends Extra {
  readonly error?: Failure
}

/** The seven types, the two of tools that an agent forgot to adapt, and those that were added later. */
export interface RawByType {
  readonly thought: Words
  readonly tool_call: ToolCall
  readonly tool_progress: Progress
  readonly tool_result: Result
  readonly stream: Words
  readonly final: Extra
  readonly error: Failed
  readonly progress: Progress
  readonly result: Result
  readonly tool_error: Result
  readonly text_chunk: Words
  readonly start: Extra
  readonly cancelled: Extra & { readonly reason?: string | null }
  readonly session_error: Failed
  readonly heartbeat: Extra
  readonly connected: Extra
}

export type RawType = keyof RawByType

export type AnyRaw = { readonly type: RawType } & Extra

/** An error is a sentence, or an object that holds one. */
export function sentenceOf(error: Failure | undefined): string | undefined {
  const sentence = typeof error === 'string' ? error : error?.message
  return sentence === '' ? undefined : sentence
}
