import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { fileEvent } from './parts.ts'
import type { Steering } from './raw.ts'

/** The message of a response; a user may interrupt it with a steering message. */
export interface Message {
  start(messageId: string | undefined, metadata: Json | undefined): StreamEvent[]
  steer(raw: Steering): StreamEvent[]
}

export function createMessage(): Message {
  let current: string | undefined
  let hasStarted = false
  let steeringCount = 0

  function end(): StreamEvent[] {
    return current === undefined ? [] : [{ type: 'message-end', messageId: current }]
  }

  return {
    start(messageId, messageMetadata) {
      const { model, agent, ...rest } = isJsonObject(messageMetadata) ? messageMetadata : {}
      const runFields = {
        ...(typeof model === 'string' && { model }),
        ...(typeof agent === 'string' && { agent }),
      }
      const otherFields = {
        ...(model !== undefined && typeof model !== 'string' && { model }),
        ...(agent !== undefined && typeof agent !== 'string' && { agent }),
      }
      const metadata = { ...rest, ...otherFields }
      const events: StreamEvent[] = []
      if (!hasStarted || Object.keys(runFields).length > 0) events.push({ type: 'run-start', ...runFields })
      if (Object.keys(metadata).length > 0) events.push({ type: 'metadata', metadata })
      // A response that continues a message repeats its id.
      if (messageId !== undefined && messageId !== current) {
        events.push(...end(), { type: 'message-start', messageId, role: 'assistant' })
        current = messageId
      }
      hasStarted = true
      return events
    },
    steer({ id, parts, message }) {
      const messageId = id ?? `steering-${steeringCount + 1}`
      const content = parts ?? message?.content ?? []
      const contents: readonly Json[] = Array.isArray(content) ? content : [{ type: 'text', text: content as Json }]
      const contentEvents = contents.flatMap((item, index) => itemEvents(item, messageId, index))
      const events: StreamEvent[] = [
        ...end(),
        { type: 'message-start', messageId, role: 'user' },
        ...contentEvents,
        { type: 'message-end', messageId },
      ]
      steeringCount++
      current = undefined
      return events
    },
  }
}

function itemEvents(item: Json, messageId: string, index: number): StreamEvent[] {
  if (!isJsonObject(item)) throw new TypeError('A part of a message is not an object.')
  if (item.type !== 'text')
    return [{ ...fileEvent(item as never, index), fileId: `${messageId}:${index}`, messageId } as StreamEvent]
  const blockId = `${messageId}:${index}`
  return [
    { type: 'block-start', blockId, kind: 'text', messageId },
    { type: 'block-delta', blockId, text: String(item.text ?? '') },
    { type: 'block-end', blockId },
  ]
}
