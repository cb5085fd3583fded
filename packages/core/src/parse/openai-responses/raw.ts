import type { Json, JsonObject } from '../../json.ts'

/** The item of an event. Some gateways give an item a different id in every event: then only its index is reliable. */
export interface ItemRef {
  readonly item_id?: string | null
  readonly output_index?: number | null
}

/**
 * An event of OpenAI or of a compatible vendor, as far as it is read. Its type decides which fields it has: there are
 * about fifty types, and most have one field beside those that refer to an item.
 */
export interface RawEvent extends ItemRef {
  readonly type: string
  readonly content_index?: number | null
  readonly summary_index?: number | null
  readonly response: RawResponse
  readonly item: RawItem
  readonly part: RawPart
  readonly annotation: Annotation
  /** More of a text or of an input. */
  readonly delta: string
  /** The whole text or input. */
  readonly text?: string | null
  readonly refusal?: string | null
  readonly logprobs?: readonly Json[] | null
  readonly arguments?: Json
  readonly input?: string | null
  readonly code?: string | null
  readonly diff?: string | null
  readonly command?: string | null
  readonly command_index?: number | null
  readonly partial_image_b64?: string | null
  readonly partial_image_index?: number | null
  readonly output_format?: string | null
  readonly error?: RawError | string | null
}

export interface RawError {
  readonly code?: string | number | null
  readonly type?: string | null
  readonly message?: string | null
}

export interface RawResponse {
  readonly id?: string | null
  readonly object?: string
  readonly status?: string | null
  readonly model?: string | null
  readonly output?: readonly RawItem[] | null
  readonly usage?: JsonObject | null
  readonly error?: RawError | null
  readonly incomplete_details?: { readonly reason?: string | null } | null
  readonly created_at?: number | null
  readonly completed_at?: number | null
  readonly [other: string]: unknown
}

/** A part of a message or of reasoning. */
export interface RawPart {
  readonly type: string
  readonly text?: string | null
  readonly refusal?: string | null
  readonly annotations?: readonly Annotation[] | null
  readonly transcript?: string | null
  readonly data?: string | null
  readonly audio?: string | null
  readonly format?: string | null
}

/** One item of the output. Its type decides which fields it has; fields that are not named here are kept unchanged. */
export interface RawItem {
  readonly type: string
  readonly id?: string | null
  readonly status?: string | null
  readonly phase?: string | null
  readonly content?: readonly RawPart[] | string | null
  readonly summary?: readonly RawPart[] | null
  readonly encrypted_content?: string | null
  readonly call_id?: string | null
  readonly name?: string | null
  readonly caller?: { readonly type?: string; readonly caller_id?: string | null } | null
  readonly arguments?: Json
  readonly input?: Json
  readonly action?: JsonObject | null
  readonly operation?: JsonObject | null
  readonly output?: Json
  readonly results?: Json
  readonly error?: Json
  readonly server_label?: string | null
  readonly approval_request_id?: string | null
  readonly [other: string]: Json | undefined | readonly RawPart[]
}

/** A reference in a text. */
export type Annotation = {
  readonly type: string
  readonly url?: string | null
  readonly title?: string | null
  readonly filename?: string | null
  readonly file_id?: string | null
  readonly container_id?: string | null
  /** In Chat Completions the citation is nested one level deeper. */
  readonly url_citation?: { readonly url?: string | null; readonly title?: string | null } | null
}
