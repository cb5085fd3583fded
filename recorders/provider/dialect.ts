import type { Conversation, Step } from './script.ts'

/** One frame of a stream; `data` is JSON, or text that is sent as it is. */
export type Frame = { readonly event?: string; readonly data: unknown }

/** A provider's API: how its requests are read, and how it answers with a step. */
export type Dialect<Body = never> = {
  /** Whether a request to this path, with its query, belongs to this API. */
  readonly answers: (path: string) => boolean
  readonly streams: (body: Body, path: string) => boolean
  readonly conversationOf: (body: Body) => Conversation
  readonly framesOf: (step: Step, body: Body) => Iterable<Frame>
  /** The answer to a request that does not stream. */
  readonly wholeOf: (step: Step, body: Body) => unknown
}

let lastId = 0

/** A counter, so that a new recording differs little from the last one. The ids have no other meaning. */
export function newId(prefix: string): string {
  lastId += 1
  return `${prefix}_${String(lastId).padStart(4, '0')}`
}

export const secondsNow = (): number => Math.floor(Date.now() / 1000)

/** The texts in a message's content: a string, or parts of which some have a text. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { readonly text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []))
}
