import type { Role } from '../../event-fields.ts'
import type { ChatEvent } from '../shapes.ts'
import { messageOpening, messageText } from './event-rows.ts'
import { type GrowingContent, grownBy, nothingRead, type ReadContent, readThrough, textOf } from './growth.ts'
import type { ItemsOf } from './items.ts'
import { type CreateNormalizer, createPipeline, type Pipeline } from './pipeline.ts'

/**
 * A message that is still being written, with its whole content so far: as `content`, or as `tokens` in an array that
 * grows. With tokens only the new ones are read; a long string is compared from its start to find the new part.
 */
export type StreamingMessage = GrowingContent & {
  /** The id under which it will be stored, if that is known. */
  readonly id?: string
  readonly messageType: Role | 'thinking'
  readonly timestamp: Date | number
}

/** The part of a streaming message that was read. */
export interface ReadMessage<Item> {
  readonly id: string | undefined
  readonly chatEvents: readonly ChatEvent[]
  readonly itemsOf: ItemsOf<Item>
  hasContent(content: string): boolean
}

interface Reading<Item> {
  readonly messageType: StreamingMessage['messageType']
  readonly pipeline: Pipeline
  readonly itemsOf: ItemsOf<Item>
  read: ReadContent
}

/** Reads messages that grow from call to call: only the new part is processed. A rewritten message is read again. */
export function createStreamingReader<Item>(
  createNormalizer: CreateNormalizer,
  createItemsOf: () => ItemsOf<Item>,
): (messages: readonly StreamingMessage[]) => readonly ReadMessage<Item>[] {
  let readings = new Map<string, Reading<Item>>()

  function open(id: string, { messageType, timestamp }: StreamingMessage): Reading<Item> {
    const pipeline = createPipeline(createNormalizer)
    const isThinking = messageType === 'thinking'
    const role = isThinking ? 'assistant' : messageType
    pipeline.push(messageOpening({ id, role, kind: isThinking ? 'reasoning' : 'text' }), Number(timestamp))
    return { messageType, pipeline, itemsOf: createItemsOf(), read: nothingRead }
  }

  function read(id: string, message: StreamingMessage, existing: Reading<Item> | undefined): Reading<Item> {
    const growth = existing?.messageType === message.messageType ? grownBy(existing.read, message) : undefined
    const reading = existing === undefined || growth === undefined ? open(id, message) : existing
    const added = growth ?? textOf(message)
    if (added !== '') reading.pipeline.push([messageText(id, added)], Number(message.timestamp))
    reading.read = readThrough(message, reading.read.length + added.length)
    return reading
  }

  return (messages) => {
    const next = new Map<string, Reading<Item>>()
    const result = messages.map((message, index) => {
      const id = message.id ?? `ephemeral-${index}`
      const reading = read(id, message, readings.get(id))
      next.set(id, reading)
      const { length } = reading.read
      return {
        id: message.id,
        chatEvents: reading.pipeline.chatEvents(),
        itemsOf: reading.itemsOf,
        hasContent: (content: string) => content.length === length && content === textOf(message),
      }
    })
    readings = next
    return result
  }
}
