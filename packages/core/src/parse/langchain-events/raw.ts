import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** One event of a runnable. */
export interface RawEvent {
  readonly event: string
  readonly name?: string | null
  readonly run_id?: string | null
  /** The outer runs, outermost first. Not in every version. */
  readonly parent_ids?: readonly string[] | null
  readonly metadata?: JsonObject | null
  readonly data?: JsonObject | null
  readonly tags?: Json
}

const EVENT = /^on_(?:(?:chat_model|llm|chain|tool|prompt|retriever|parser)_(?:start|stream|end|error)|custom_event)$/

export function isEvent(value: unknown): value is RawEvent & JsonObject {
  return isJsonObject(value) && typeof value.event === 'string' && EVENT.test(value.event)
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isEvent(value)) return undefined
  const isWhole = typeof value.run_id === 'string' && value.data !== undefined
  return { certainty: isWhole ? 1 : 0.6, reason: `a LangChain event "${value.event}"` }
}
