import type { ThreadEvent } from '../data/thread-event.ts'
import { type AgentNotice, type AgentTurn, createAgentTurn as createTurn } from '../fold/thread-processor/agent-turn.ts'
import { createThreadReader, type EphemeralEvents, type ProcessedEvents } from '../fold/thread-processor/reader.ts'
import { createNormalizer } from '../normalize/index.ts'
import { createEphemeralItemsOf, createStoredItemsOf } from './thread-processor/items.ts'
import {
  type EphemeralTimelineItems,
  mergedByTime,
  type ProcessedThreadItems,
  type StoredTotals,
  type Timeline,
  type TimelineItem,
  timeOf,
  totalsOf,
} from './thread-processor/timeline.ts'

/** A message that is still being written, with its whole content so far. */
export interface EphemeralMessage {
  type: 'user' | 'assistant' | 'system' | 'tool' | 'thinking'
  content: string
  timestamp: Date
}

/**
 * The processor of a thread under the names, types and results of the system that it comes from: each message gives its
 * thoughts, then its text. It reads like `createThreadProcessor`: over the fold, and only what is new.
 */
export class ThreadProcessor {
  /** Which results of this processor a list is, so that `buildTimeline` knows what a streaming message repeats. */
  readonly #processed = new WeakMap<object, ProcessedEvents<TimelineItem>>()
  readonly #ephemeral = new WeakMap<object, EphemeralEvents<TimelineItem>>()
  readonly #totals = new WeakMap<ProcessedThreadItems, StoredTotals>()
  #reader = openReader()
  #last: ProcessedThreadItems | undefined

  /** The same events give the same array. Events that changed are found by identity, in whichever position. */
  processEvents(events: readonly ThreadEvent[]): ProcessedThreadItems {
    const processed = this.#reader.processEvents(events, 0)
    if (this.#last !== undefined && this.#processed.get(this.#last) === processed) return this.#last
    // The items of stored events are of no other type.
    const items = processed.items.slice() as ProcessedThreadItems
    this.#processed.set(items, processed)
    this.#totals.set(items, this.#totalsAfter(items))
    this.#last = items
    return items
  }

  /** Only what a message has grown by is processed. */
  processEphemeralEvents(messages: readonly EphemeralMessage[]): EphemeralTimelineItems {
    const ephemeral = this.#reader.processEphemeralEvents(
      messages.map(({ type, content, timestamp }) => ({ messageType: type, content, timestamp })),
    )
    const items = [...ephemeral.items] as EphemeralTimelineItems
    this.#ephemeral.set(items, ephemeral)
    return items
  }

  /** All items in the order of time. A streaming message that is already stored is left out. */
  buildTimeline(processedEvents: ProcessedThreadItems, ephemeralItems: EphemeralTimelineItems): Timeline {
    const processed = this.#processed.get(processedEvents)
    const ephemeral = this.#ephemeral.get(ephemeralItems)
    const areOwn = processed !== undefined && ephemeral !== undefined
    const fresh = areOwn ? this.#reader.freshItems(processed, ephemeral) : ephemeralItems
    const totals = this.#totals.get(processedEvents) ?? totalsOf(processedEvents)
    const newest = Math.max(totals.newest, ...fresh.map(timeOf))
    return {
      items: mergedByTime(processedEvents, totals, fresh),
      metadata: {
        eventCount: totals.length,
        messageCount: totals.messages,
        lastActivity: newest === Number.NEGATIVE_INFINITY ? new Date() : new Date(newest),
      },
    }
  }

  processThread(events: readonly ThreadEvent[], ephemeralMessages: readonly EphemeralMessage[] = []): Timeline {
    return this.buildTimeline(this.processEvents(events), this.processEphemeralEvents(ephemeralMessages))
  }

  /** Items that are shared with the last list were counted for it. An item is shared only if all before it are. */
  #totalsAfter(items: ProcessedThreadItems): StoredTotals {
    const before = this.#last ?? []
    const isGrown = before.length > 0 && items[before.length - 1] === before.at(-1)
    return isGrown ? totalsOf(items, this.#totals.get(before)) : totalsOf(items)
  }

  /** The next events are read from the first one on. */
  clearCache(): void {
    this.#reader = openReader()
    this.#last = undefined
  }
}

function openReader() {
  return createThreadReader<TimelineItem>(createNormalizer, {
    createStored: createStoredItemsOf,
    createStreaming: createEphemeralItemsOf,
  })
}

export interface AgentTurnOptions {
  readonly id: string
  readonly emit: (notice: AgentNotice) => void
  readonly timestamp?: Date
}

/**
 * One response of an agent. Every token is an `agent_token` as it came; the end is an `agent_response_complete` without
 * thoughts, and returns the event to store, with them.
 */
export function createAgentTurn({ id, emit, timestamp = new Date() }: AgentTurnOptions): AgentTurn {
  return createTurn({ id, timestamp: timestamp.getTime(), createNormalizer, emit })
}

export type { ThreadEvent, ToolCallData, ToolResultData } from '../data/thread-event.ts'
export type { AgentNotice, AgentTurn } from '../fold/thread-processor/agent-turn.ts'
export { buildThreadMessages, type ThreadMessage } from '../fold/thread-processor/thread-messages.ts'
export type {
  EphemeralTimelineItems,
  ProcessedThreadItems,
  Timeline,
  TimelineItem,
} from './thread-processor/timeline.ts'
