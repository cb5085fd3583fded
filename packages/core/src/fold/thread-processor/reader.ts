import type { ThreadEvent } from '../../data/thread-event.ts'
import type { ChatEvent } from '../shapes.ts'
import { createWalker, type Walk, walk } from './claims.ts'
import { streamEventsOf } from './event-rows.ts'
import type { ItemsOf } from './items.ts'
import { type CreateNormalizer, createPipeline, type Pipeline } from './pipeline.ts'
import { createStreamingReader, type ReadMessage, type StreamingMessage } from './streaming.ts'

/** Stored events, processed. */
export interface ProcessedEvents<Item> {
  readonly items: readonly Item[]
  /** Thoughts at the end, which the next message may repeat. */
  readonly thoughts: readonly string[]
  /** The raw contents of the agent's messages since the last user message. */
  readonly turn: readonly string[]
  isStored(eventId: string): boolean
}

/** Streaming messages, processed. */
export interface EphemeralEvents<Item> {
  readonly items: readonly Item[]
  readonly messages: readonly ReadMessage<Item>[]
}

/** The stored event with an id. */
export type EventOf = (eventId: string) => ThreadEvent | undefined

/** What a view makes of stored and of streaming messages. */
export interface ThreadView<Item> {
  createStored(eventOf: EventOf): ItemsOf<Item>
  createStreaming(): ItemsOf<Item>
}

/** Reads the stored events of a thread, and its streaming messages, into items of any view. */
export interface ThreadReader<Item> {
  processEvents(events: readonly ThreadEvent[], version: number): ProcessedEvents<Item>
  processEphemeralEvents(messages: readonly StreamingMessage[]): EphemeralEvents<Item>
  /** The items of the streaming messages that are not stored yet. */
  freshItems(processed: ProcessedEvents<Item>, ephemeral: EphemeralEvents<Item>): readonly Item[]
}

export function createThreadReader<Item>(
  createNormalizer: CreateNormalizer,
  { createStored, createStreaming }: ThreadView<Item>,
): ThreadReader<Item> {
  const readStreaming = createStreamingReader(createNormalizer, createStreaming)
  const open = () => openThread(createNormalizer, createStored)
  let thread = open()
  let lastEvents: readonly ThreadEvent[] | undefined
  let lastVersion = 0
  let processed: ProcessedEvents<Item> | undefined

  function isGrown(events: readonly ThreadEvent[], version: number): boolean {
    if (events.length < thread.seen.length) return false
    const isTrusted = events === lastEvents && version === lastVersion
    return isTrusted || thread.seen.every(({ event, data }, index) => events[index] === event && event.data === data)
  }

  function process(): ProcessedEvents<Item> {
    const { positions, turn, seen, pipeline } = thread
    const count = seen.length
    const { items, thoughts } = thread.walk(pipeline.chatEvents())
    return { items, thoughts, turn: turn.slice(), isStored: (id) => (positions.get(id) ?? count) < count }
  }

  return {
    processEvents(events, version) {
      if (!isGrown(events, version)) {
        thread = open()
        processed = undefined
      }
      lastEvents = events
      lastVersion = version
      if (thread.seen.length < events.length) processed = undefined
      for (let index = thread.seen.length; index < events.length; index++) add(thread, events[index] as ThreadEvent)
      processed ??= process()
      return processed
    },
    processEphemeralEvents(messages) {
      const read = readStreaming(messages)
      return { items: itemsOfAll(read, []), messages: read }
    },
    freshItems({ thoughts, turn, isStored }, { messages }) {
      const isCopy = ({ id, hasContent }: ReadMessage<Item>) =>
        id === undefined ? turn.some(hasContent) : isStored(id)
      return itemsOfAll(
        messages.filter((message) => !isCopy(message)),
        thoughts,
      )
    },
  }
}

/** The part of a thread that was read. */
interface Thread<Item> {
  readonly pipeline: Pipeline
  readonly walk: (chatEvents: readonly ChatEvent[]) => Walk<Item>
  readonly seen: { readonly event: ThreadEvent; readonly data: ThreadEvent['data'] }[]
  /** Event id → its position. */
  readonly positions: Map<string, number>
  turn: string[]
}

function openThread<Item>(
  createNormalizer: CreateNormalizer,
  createItemsOf: ThreadView<Item>['createStored'],
): Thread<Item> {
  const seen: Thread<Item>['seen'] = []
  const positions = new Map<string, number>()
  const itemsOf = createItemsOf((eventId) => seen[positions.get(eventId) ?? -1]?.event)
  return { pipeline: createPipeline(createNormalizer), walk: createWalker([], itemsOf), seen, positions, turn: [] }
}

function add<Item>(thread: Thread<Item>, event: ThreadEvent): void {
  thread.pipeline.push(streamEventsOf(event), Number(event.timestamp))
  thread.positions.set(event.id, thread.seen.length)
  thread.seen.push({ event, data: event.data })
  if (event.type === 'USER_MESSAGE') thread.turn = []
  if (event.type === 'AGENT_MESSAGE' || event.type === 'THINKING') thread.turn.push(event.data)
}

function itemsOfAll<Item>(messages: readonly ReadMessage<Item>[], before: readonly string[]): readonly Item[] {
  let thoughts = before
  return messages.flatMap(({ chatEvents, itemsOf }) => {
    const walked = walk(chatEvents, thoughts, itemsOf)
    thoughts = walked.thoughts
    return walked.items
  })
}
