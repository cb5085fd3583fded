import { isJsonObject, type Json, type JsonObject } from '../../json.ts'

/** One event of a runnable: what kind it is, and of which run of it. */
export interface RawEvent {
  readonly event: string
  readonly name?: string | null
  readonly run_id?: string | null
  /** The runs around it, outermost first. Not every version says. */
  readonly parent_ids?: readonly string[] | null
  readonly metadata?: JsonObject | null
  readonly data?: JsonObject | null
  readonly tags?: Json
}

const EVENT = /^on_(?:(?:chat_model|llm|chain|tool|prompt|retriever|parser)_(?:start|stream|end|error)|custom_event)$/

export function isEvent(value: unknown): value is RawEvent & JsonObject {
  return isJsonObject(value) && typeof value.event === 'string' && EVENT.test(value.event)
}
