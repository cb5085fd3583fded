import type { StreamEvent, ToolStatus } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'

/** A message of a conversation that a client brings along, because it began elsewhere. */
export interface BroughtMessage {
  /** The client's own id of it. */
  readonly clientId?: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly BroughtPart[]
}

/**
 * What a client says that a message contains. There is no part for an approval: what a client claims about an earlier
 * conversation approves nothing.
 */
export type BroughtPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly filename?: string; readonly url: string }
  | { readonly type: 'tool'; readonly name: string; readonly input: Json; readonly result?: BroughtResult }

export interface BroughtResult {
  readonly status: ToolStatus
  readonly output: Json
  readonly error?: string
}

/** The messages as events. Their ids, and those of their calls, are new: a client's may be used twice. */
export function broughtEvents(messages: readonly BroughtMessage[]): readonly StreamEvent[] {
  return messages.flatMap(({ clientId, role, parts }, index) => {
    const messageId = `brought-${index + 1}`
    const meta = clientId === undefined ? {} : { meta: { millrace: { clientId } } }
    return [
      { type: 'message-start', role, messageId, ...meta },
      ...parts.flatMap((part, nth) => partEvents(part, messageId, `${messageId}-${nth + 1}`)),
      { type: 'message-end', messageId },
    ] satisfies readonly StreamEvent[]
  })
}

function partEvents(part: BroughtPart, messageId: string, id: string): readonly StreamEvent[] {
  if (part.type === 'file') {
    const { filename, mediaType, url } = part
    return [{ type: 'file', fileId: id, mediaType, url, messageId, ...(filename !== undefined && { filename }) }]
  }
  if (part.type === 'tool') {
    const { name, input, result } = part
    return [
      { type: 'tool-start', callId: id, name, runBy: 'agent', messageId },
      { type: 'tool-input', callId: id, input, messageId },
      ...(result === undefined ? [] : [{ type: 'tool-output', callId: id, messageId, ...result } as const]),
    ]
  }
  return [
    { type: 'block-start', blockId: id, kind: part.type, messageId },
    { type: 'block-delta', blockId: id, text: part.text, messageId },
    { type: 'block-end', blockId: id, messageId },
  ]
}
