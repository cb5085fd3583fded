import type { ChatEvent, ReasoningSegment } from '@millrace/core/fold'
import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'

/** A request as its provider sees it, whoever made it. */
export interface ProviderRequest {
  readonly messages: readonly object[]
  readonly container?: string
}

/** What the rules compare a request with. */
export interface RequestFacts {
  /** The history that the request stands for. */
  readonly chatEvents: readonly ChatEvent[]
  readonly vendor?: string
  readonly model?: string
}

/** A rule of a provider: a request that breaks it is refused, or answered worse. */
export interface ProviderRule {
  readonly id: string
  readonly promise: string
  /** One sentence for each breach. */
  check(messages: readonly JsonObject[], request: ProviderRequest, facts: RequestFacts): Iterable<string>
}

export const asObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : []

/** The blocks of a message whose content is a list, or one text. */
export function blocksIn(message: JsonObject | undefined, field = 'content'): readonly JsonObject[] {
  const content = message?.[field]
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content)
}

/** All thoughts of a history outside of subagents, in order, each with the model that had it. */
export function thoughtsIn({ chatEvents }: RequestFacts): readonly (ReasoningSegment & { readonly model?: string })[] {
  return chatEvents.flatMap(({ segments, model }) =>
    segments.flatMap((segment) =>
      segment.type === 'reasoning' ? [{ ...segment, ...(model !== undefined && { model }) }] : [],
    ),
  )
}

/** Whether each value occurs in a list behind the one before it. */
export function isInOrder(values: readonly string[], among: readonly string[]): boolean {
  let at = 0
  return values.every((value) => {
    at = among.indexOf(value, at) + 1
    return at > 0
  })
}

/** Values that occur more than once. */
export const repeatedIn = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index)
