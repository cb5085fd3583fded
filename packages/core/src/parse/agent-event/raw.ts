import type { Meta, RunError, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'

/** What a stream that Millrace wrote holds beside the fields of the protocol. */
export interface Additive {
  /** Events that the protocol cannot express, in order, which precede the chunk's own. */
  readonly before?: readonly StreamEvent[]
  /** The events of the chunk, if its own fields are only what a client can show of them. */
  readonly instead?: readonly StreamEvent[]
  readonly blockId?: string
  /** The subagent whose chunk the progress of a call holds. */
  readonly agentId?: string
  readonly messageId?: string
  readonly meta?: Meta
  /** The output is the JSON of a value. */
  readonly json?: boolean
  /** The output itself, if the chunk's own output is only the reason of a failure. */
  readonly output?: Json
  readonly status?: ToolStatus
  readonly error?: string | RunError
  readonly outcome?: EventOf<'run-end'>['outcome']
  readonly reason?: string
  readonly result?: Json
}

/** Fields that later servers add to any event; the first servers send none of them. */
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
  readonly output?: Json | undefined
  readonly isError?: boolean | null
  readonly error?: Failure
}

type Failure = string | { readonly message?: string; readonly code?: string } | null

interface Failed extends Extra {
  readonly error?: Failure
}

/** The seven types, the two of tools whose events an agent does not convert, and those that were added later. */
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

/** The message of an error, which is a string or an object. */
export function sentenceOf(error: Failure | undefined): string | undefined {
  const sentence = typeof error === 'string' ? error : error?.message
  return sentence === '' ? undefined : sentence
}
