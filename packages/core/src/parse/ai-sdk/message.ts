import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { fileEvent } from './parts.ts'
import type { Steering } from './raw.ts'

/** The message that a response is; a user may speak into it. */
export interface Message {
  start(messageId: string | undefined, metadata: Json | undefined): StreamEvent[]
  steer(raw: Steering): StreamEvent[]
}

export function createMessage(): Message {
  let current: string | undefined
  let hasStarted = false
  let steerings = 0

  function end(): StreamEvent[] {
    return current === undefined ? [] : [{ type: 'message-end', messageId: current }]
  }

  return {
    start(messageId, said) {
      const { model, agent, ...rest } = isJsonObject(said) ? said : {}
      const known = {
        ...(typeof model === 'string' && { model }),
        ...(typeof agent === 'string' && { agent }),
      }
      const odd = {
        ...(model !== undefined && typeof model !== 'string' && { model }),
        ...(agent !== undefined && typeof agent !== 'string' && { agent }),
      }
      const metadata = { ...rest, ...odd }
      const events: StreamEvent[] = []
      if (!hasStarted || Object.keys(known).length > 0) events.push({ type: 'run-start', ...known })
      if (Object.keys(metadata).length > 0) events.push({ type: 'metadata', metadata })
      // A response that goes on with a message gives its id again.
      if (messageId !== undefined && messageId !== current) {
        events.push(...end(), { type: 'message-start', messageId, role: 'assistant' })
        current = messageId
      }
      hasStarted = true
      return events
    },
    steer({ id, parts, message }) {
      const messageId = id ?? `steering-${steerings + 1}`
      const content = parts ?? message?.content ?? []
      const pieces: readonly Json[] = Array.isArray(content) ? content : [{ type: 'text', text: content as Json }]
      const drawn = pieces.flatMap((piece, index) => pieceEvents(piece, messageId, index))
      const events: StreamEvent[] = [
        ...end(),
        { type: 'message-start', messageId, role: 'user' },
        ...drawn,
        { type: 'message-end', messageId },
      ]
      steerings++
      current = undefined
      return events
    },
  }
}

function pieceEvents(piece: Json, messageId: string, index: number): StreamEvent[] {
  if (!isJsonObject(piece)) return []
  if (piece.type !== 'text')
    return [{ ...fileEvent(piece as never, index), fileId: `${messageId}:${index}`, messageId } as StreamEvent]
  const blockId = `${messageId}:${index}`
  return [
    { type: 'block-start', blockId, kind: 'text', messageId },
    { type: 'block-delta', blockId, text: String(piece.text ?? '') },
    { type: 'block-end', blockId },
  ]
}
