import type { BuiltInToolStatus } from '../fold/event-builder/calls.ts'
import type { ReasoningPart as FoldedPart } from '../fold/event-builder/reasoning-parts.ts'
import { EventBuilder as FoldedEvents } from '../fold/event-builder.ts'
import type { ChatEvent, Segment as FoldedSegment } from '../fold/shapes.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Event, ResponseMetadata, Segment } from './event-builder/event.ts'
import { createSegments } from './event-builder/segments.ts'

export type {
  CodeInterpreterSegment,
  Event,
  ReasoningPart,
  ReasoningSegment,
  ResponseMetadata,
  Role,
  Segment,
  TextSegment,
  ToolCallSegment,
  ToolResultSegment,
  WebSearchSegment,
} from './event-builder/event.ts'

export interface EventBuilderOptions {
  /** The id of the assistant's first Event, which is already in the store. */
  placeholderEventId: string
  /** Called with the current Event at every visible change. */
  onUpdate?: (draft: Event) => void
  /** Called with a finished Event, and again if a result arrives after that: put it into the store under its id. */
  onFinalize?: (event: Event) => void
  /** Milliseconds. */
  now?: () => number
  /** Called at each step of a stream, for a log: the step, and the id of its Event, its call or its part. */
  log?: (step: BuilderStep, id: string) => void
}

export type BuilderStep =
  | 'startEvent'
  | 'toolStart'
  | 'toolFinalized'
  | 'toolComplete'
  | 'reasoningAdd'
  | 'reasoningDone'
  | 'finalizeEvent'

/**
 * The builder of Events under the names, types and results of the system that it comes from: a result is a segment of its
 * own, reasoning has parts. It is the `EventBuilder` of the fold, shown in another shape.
 */
export class EventBuilder {
  readonly #events
  readonly #now
  readonly #log: (step: BuilderStep, id: string) => void
  /** Event id → its segments so far. */
  readonly #segments = new Map<string, (folded: readonly FoldedSegment[]) => Segment[]>()

  constructor({ placeholderEventId, onUpdate, onFinalize, now = Date.now, log }: EventBuilderOptions) {
    this.#now = now
    this.#log = (step, id) => log?.(step, id)
    this.#events = new FoldedEvents({
      placeholderEventId,
      now,
      onUpdate: (draft) => onUpdate?.(this.#eventOf(draft)),
      onFinalize: (event) => {
        this.#log('finalizeEvent', event.id)
        onFinalize?.(this.#eventOf(event))
      },
    })
  }

  /** Begins an Event; the one before it is finished first. The first Event takes the placeholder's id. */
  startAssistantEvent(id?: string, responseMetadata: ResponseMetadata = {}): void {
    this.#log('startEvent', id ?? '')
    this.#events.startAssistantEvent(id, responseMetadata as JsonObject)
  }

  appendTextDelta(text: string): void {
    this.#events.appendTextDelta(text)
  }

  startToolCall(call: { id: string; name: string }): void {
    this.#log('toolStart', call.id)
    this.#events.startToolCall(call)
  }

  /** An unknown id opens the call. */
  finalizeToolArgs({ id, args }: { id: string; args: object }): void {
    this.#log('toolFinalized', id)
    this.#events.finalizeToolArgs({ id, args: args as Json })
  }

  /** A second result is ignored. */
  completeTool({ id, output, error }: { id: string; output?: object | undefined; error?: string | undefined }): void {
    this.#log('toolComplete', id)
    this.#events.completeTool({ id, output: (output ?? {}) as Json, ...(error !== undefined && { error }) })
  }

  /** A repeated part changes nothing. */
  upsertReasoningPart(part: FoldedPart): void {
    this.#log(part.is_complete ? 'reasoningDone' : 'reasoningAdd', String(part.summary_index))
    this.#events.upsertReasoningPart(part)
  }

  /** A status earlier than the current one is ignored. */
  setBuiltInToolStatus(status: BuiltInToolStatus): void {
    this.#events.setBuiltInToolStatus(status)
  }

  /** Finishes the Event; calls without a result may still get one. */
  finalizeCurrentEvent(): void {
    this.#events.finalizeCurrentEvent()
  }

  /** For a stream that was cut off: the Event is finished as interrupted, and no call stays open. */
  interruptCurrentEvent(): void {
    this.#events.interruptCurrentEvent()
  }

  #eventOf({ id, role, state, startedAt, segments, meta }: ChatEvent): Event {
    const segmentsOf = this.#segments.get(id) ?? this.#open(id)
    const metadata = {
      ...(meta?.response as ResponseMetadata | undefined),
      ...(state === 'interrupted' && { completion_status: 'interrupted' as const }),
    }
    const hasMetadata = Object.keys(metadata).length > 0
    return {
      id,
      role,
      segments: segmentsOf(segments),
      ts: startedAt,
      ...(hasMetadata && { response_metadata: metadata }),
    }
  }

  #open(eventId: string): (folded: readonly FoldedSegment[]) => Segment[] {
    const segmentsOf = createSegments({ partsOf: (segmentId) => this.#events.partsOf(segmentId), now: this.#now })
    this.#segments.set(eventId, segmentsOf)
    return segmentsOf
  }
}
