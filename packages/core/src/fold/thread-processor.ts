import type { ThreadEvent } from '../data/thread-event.ts'
import { createItemsOf } from './thread-processor/items.ts'
import type { CreateNormalizer } from './thread-processor/pipeline.ts'
import { createThreadReader, type EphemeralEvents, type ProcessedEvents } from './thread-processor/reader.ts'
import type { StreamingMessage } from './thread-processor/streaming.ts'
import type { TimelineItem } from './timeline.ts'

/** The timeline of a thread: a thin layer over the fold, the same for stored and for streaming messages. */
export interface ThreadProcessor {
  /**
   * The same thread gives the same object. An array that grew is read from where it grew, without reading earlier
   * events again; another array is compared event by event, by identity. A caller that edits an array or an event in
   * place passes a higher `version`.
   */
  processEvents(events: readonly ThreadEvent[], version?: number): ProcessedEvents<TimelineItem>
  /** Takes every message with its whole content so far; only the new part is processed. */
  processEphemeralEvents(messages: readonly StreamingMessage[]): EphemeralEvents<TimelineItem>
  /**
   * Stored items, then streaming ones. A streaming message that is already stored is left out: it has the id of a
   * stored event or, if it has no id, the content of one in the agent's current turn.
   */
  buildTimeline(
    processed: ProcessedEvents<TimelineItem>,
    ephemeral: EphemeralEvents<TimelineItem>,
  ): readonly TimelineItem[]
}

export interface ThreadProcessorOptions {
  /** `createNormalizer` of the normalize stage: it separates thoughts from text. */
  readonly createNormalizer: CreateNormalizer
}

export function createThreadProcessor({ createNormalizer }: ThreadProcessorOptions): ThreadProcessor {
  const reader = createThreadReader(createNormalizer, {
    createStored: createItemsOf,
    createStreaming: createItemsOf,
  })
  return {
    processEvents: (events, version = 0) => reader.processEvents(events, version),
    processEphemeralEvents: reader.processEphemeralEvents,
    buildTimeline: (processed, ephemeral) => [...processed.items, ...reader.freshItems(processed, ephemeral)],
  }
}
