import type { Meta, RunError, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'

/** What a stream that we have written tells beside the words of the protocol. */
export interface Additive {
  /** Events that the protocol has no word for, in their order, from before the chunk's own. */
  readonly before?: readonly StreamEvent[]
  /** What the chunk stands for, where its words are only what a client can show of it. */
  readonly instead?: readonly StreamEvent[]
  readonly blockId?: string
  /** The subagent whose words the progress of a call holds. */
  readonly agentId?: string
  readonly messageId?: string
  readonly meta?: Meta
  /** The output is the JSON of a value. */
  readonly json?: boolean
  /** The output itself, where the words are only the reason of a failure. */
  readonly output?: Json
  readonly status?: ToolStatus
  readonly error?: string | RunError
  readonly outcome?: EventOf<'run-end'>['outcome']
  readonly reason?: string
  readonly result?: Json
}

/** What later servers add to any event; the first ones send none of it. */
interface Extra {
  readonly callId?: string
  readonly parentCallId?: string
  readonly runId?: string
  readonly seq?: number
  readonly at?: number | string
  readonly millrace?: Additive
}

interface Called extends Extra {
  readonly toolName?: string
}

interface TextFields extends Extra {
  readonly content: string
}

export interface ToolCall extends Called {
  /** JSON in a string; later servers send the value itself. */
  readonly toolArgs?: Json
}

export interface RawProgress extends Called {
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
  readonly thought: TextFields
  readonly tool_call: ToolCall
  readonly tool_progress: RawProgress
  readonly tool_result: Result
  readonly stream: TextFields
  readonly final: Extra
  readonly error: Failed
  readonly progress: RawProgress
  readonly result: Result
  readonly tool_error: Result
  readonly text_chunk: TextFields
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
