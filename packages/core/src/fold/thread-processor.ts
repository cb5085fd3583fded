import type { ChatEvent } from './shapes.ts'
import { createWalker, type Walk, walk } from './thread-processor/claims.ts'
import { createItemsOf } from './thread-processor/items.ts'
import { type CreateNormalizer, createPipeline, type Pipeline } from './thread-processor/pipeline.ts'
import { createStreamingReader, type ReadMessage, type StreamingMessage } from './thread-processor/streaming.ts'
import { streamEventsOf, type ThreadEvent } from './thread-processor/thread-event.ts'
import type { TimelineItem } from './timeline.ts'

/** Stored events, processed. */
export interface ProcessedEvents {
  readonly items: readonly TimelineItem[]
  /** Thoughts at the end, which the next message may repeat. */
  readonly thoughts: readonly string[]
  /** The raw contents of the agent's messages since the last user message. */
  readonly turn: readonly string[]
  isStored(eventId: string): boolean
}

/** Streaming messages, processed. */
export interface EphemeralEvents {
  readonly items: readonly TimelineItem[]
  readonly messages: readonly ReadMessage[]
}

/** The timeline of a thread: a thin layer over the fold, the same for stored and for streaming messages. */
export interface ThreadProcessor {
  /**
   * The same thread gives the same object. An array that grew is read from where it grew, without reading earlier
   * events again; another array is compared event by event, by identity. A caller that edits an array or an event in
   * place passes a higher `version`.
   */
  processEvents(events: readonly ThreadEvent[], version?: number): ProcessedEvents
  /** Takes every message with its whole content so far; only the new part is processed. */
  processEphemeralEvents(messages: readonly StreamingMessage[]): EphemeralEvents
  /**
   * Stored items, then streaming ones. A streaming message that is already stored is left out: it has the id of a
   * stored event or, if it has no id, the content of one in the agent's current turn.
   */
  buildTimeline(processed: ProcessedEvents, ephemeral: EphemeralEvents): readonly TimelineItem[]
}

export interface ThreadProcessorOptions {
  /** `createNormalizer` of the normalize stage: it separates thoughts from text. */
  readonly createNormalizer: CreateNormalizer
}

export function createThreadProcessor({ createNormalizer }: ThreadProcessorOptions): ThreadProcessor {
  const readStreaming = createStreamingReader(createNormalizer)
  let thread = openThread(createNormalizer)
  let lastEvents: readonly ThreadEvent[] | undefined
  let lastVersion = 0
  let processed: ProcessedEvents | undefined

  function isGrown(events: readonly ThreadEvent[], version: number): boolean {
    if (events.length < thread.seen.length) return false
    const isTrusted = events === lastEvents && version === lastVersion
    return isTrusted || thread.seen.every(({ event, data }, index) => events[index] === event && event.data === data)
  }

  function process(): ProcessedEvents {
    const { positions, turn, seen, pipeline } = thread
    const count = seen.length
    const { items, thoughts } = thread.walk(pipeline.chatEvents())
    return { items, thoughts, turn: turn.slice(), isStored: (id) => (positions.get(id) ?? count) < count }
  }

  return {
    processEvents(events, version = 0) {
      if (!isGrown(events, version)) {
        thread = openThread(createNormalizer)
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
    buildTimeline({ items, thoughts, turn, isStored }, { messages }) {
      const isCopy = ({ id, hasContent }: ReadMessage) => (id === undefined ? turn.some(hasContent) : isStored(id))
      const fresh = messages.filter((message) => !isCopy(message))
      return [...items, ...itemsOfAll(fresh, thoughts)]
    },
  }
}

/** The part of a thread that was read. */
interface Thread {
  readonly pipeline: Pipeline
  readonly walk: (chatEvents: readonly ChatEvent[]) => Walk
  readonly seen: { readonly event: ThreadEvent; readonly data: ThreadEvent['data'] }[]
  /** Event id → its position. */
  readonly positions: Map<string, number>
  turn: string[]
}

function openThread(createNormalizer: CreateNormalizer): Thread {
  return {
    pipeline: createPipeline(createNormalizer),
    walk: createWalker([], createItemsOf()),
    seen: [],
    positions: new Map(),
    turn: [],
  }
}

function add(thread: Thread, event: ThreadEvent): void {
  thread.pipeline.push(streamEventsOf(event), Number(event.timestamp))
  thread.positions.set(event.id, thread.seen.length)
  thread.seen.push({ event, data: event.data })
  if (event.type === 'USER_MESSAGE') thread.turn = []
  if (event.type === 'AGENT_MESSAGE' || event.type === 'THINKING') thread.turn.push(event.data)
}

function itemsOfAll(messages: readonly ReadMessage[], before: readonly string[]): readonly TimelineItem[] {
  let thoughts = before
  return messages.flatMap(({ chatEvents, itemsOf }) => {
    const walked = walk(chatEvents, thoughts, itemsOf)
    thoughts = walked.thoughts
    return walked.items
  })
}
