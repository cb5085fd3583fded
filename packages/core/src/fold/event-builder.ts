import type { EventOf, StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import {
  type BuiltInToolStatus,
  createBuilderCalls,
  type ToolCallArgs,
  type ToolCallResult,
  type ToolCallStart,
} from './event-builder/calls.ts'
import { createEventIds } from './event-builder/event-ids.ts'
import type { EventBuilderOptions, WholeSegment } from './event-builder/options.ts'
import { createReasoningParts, type ReasoningPart, type ReasoningParts } from './event-builder/reasoning-parts.ts'
import { createFold } from './fold.ts'
import type { ChatEvent, Segment } from './shapes.ts'

interface OpenBlock {
  readonly id: string
  /** Reasoning has parts; undefined for text. */
  readonly parts: ReasoningParts | undefined
}

interface CurrentEvent {
  readonly position: number
  readonly id: string
  /** The id from the stream, if the Event keeps the id of the placeholder. */
  readonly givenId: string | undefined
  /** The reasoning parts so far: a repeated part changes nothing, even in a later segment. */
  readonly seenParts: Set<string>
  block: OpenBlock | undefined
  /** Those of its last reasoning segment, open or not. */
  lastParts: ReasoningParts | undefined
}

/**
 * Builds the assistant's Events of one request, call by call, as a stream arrives. It is a thin layer over the fold:
 * every call becomes entries, and the draft is the folded chat event, so a draft and the stored Event cannot differ.
 *
 * Segments are in the order of arrival. Text after another kind of segment opens a new text segment; so does reasoning.
 */
export class EventBuilder {
  readonly #options: EventBuilderOptions
  readonly #fold
  readonly #calls = createBuilderCalls()
  /** Call id → the position of its Event. */
  readonly #callPositions = new Map<string, number>()
  /** Segment id → the position of its Event. */
  readonly #segmentPositions = new Map<string, number>()
  /** Segment id → the parts of its reasoning. */
  readonly #parts = new Map<string, ReasoningParts>()
  readonly #ids
  #current: CurrentEvent | undefined
  #seq = 0
  #blocks = 0

  constructor(options: EventBuilderOptions) {
    this.#options = options
    this.#ids = createEventIds(options.placeholderEventId)
    this.#fold = createFold(options.runId === undefined ? {} : { runId: options.runId })
  }

  /**
   * Begins an Event; the previous one is finished first and stays as it is. The first Event takes the placeholder's id
   * (another id from the stream is kept in `meta.millrace.givenId`). Beginning the current Event again changes nothing.
   */
  startAssistantEvent(id?: string, responseMetadata: JsonObject = {}): void {
    const current = this.#current
    if (current !== undefined) {
      if (id !== undefined && (id === current.id || id === current.givenId)) return
      this.finalizeCurrentEvent()
    }
    this.#begin(id, responseMetadata)
    this.#update(this.#ids.count - 1)
  }

  appendTextDelta(text: string): void {
    if (text === '') return
    const current = this.#ensureCurrent()
    const open = current.block
    const block = open !== undefined && open.parts === undefined ? open : this.#openBlock(current, 'text')
    this.#push([{ type: 'block-delta', blockId: block.id, text }])
    this.#update(current.position)
  }

  /** Sets the text of a segment. A new id opens the segment as the last one, which later appends extend. */
  upsertSegment({ id, type, text }: WholeSegment): void {
    const existingPosition = this.#segmentPositions.get(id)
    const position = existingPosition ?? this.#ensureCurrent().position
    if (existingPosition === undefined) this.#openBlock(this.#ensureCurrent(), type, id)
    this.#segmentPositions.set(id, position)
    if (existingPosition !== undefined || text !== '') this.#push([{ type: 'block-patch', blockId: id, text }])
    this.#change(position)
  }

  /** Shows the call as loading. A call whose arguments or result came first gets its name. */
  startToolCall(call: ToolCallStart): void {
    if (this.#calls.nameLate(call)) this.#changeCall(call.id)
    else this.#applyToCall(call.id, () => this.#calls.start(call))
  }

  /** An unknown id opens the call. */
  finalizeToolArgs(call: ToolCallArgs): void {
    this.#applyToCall(call.id, () => this.#calls.input(call))
  }

  /** An unknown id opens the call; a second result is ignored. */
  completeTool(result: ToolCallResult): void {
    this.#applyToCall(result.id, () => this.#calls.complete(result))
  }

  /** Advances a tool that the provider runs; a status earlier than the current one is ignored. */
  setBuiltInToolStatus(status: BuiltInToolStatus): void {
    this.#applyToCall(status.id, () => this.#calls.advance(status))
  }

  /** Adds to the reasoning segment, whose text is its parts by `summary_index`. A repeated part changes nothing. */
  upsertReasoningPart(part: ReasoningPart): void {
    const partKey = JSON.stringify([part.summary_index, part.sequence_number, part.text])
    if (part.text === '' || this.#current?.seenParts.has(partKey)) return
    const current = this.#ensureCurrent()
    current.seenParts.add(partKey)
    // The end of a part may arrive after the next segment has begun.
    if (current.block?.parts === undefined && current.lastParts?.complete(part)) return
    const block = current.block?.parts === undefined ? this.#openBlock(current, 'reasoning') : current.block
    const change = block.parts?.upsert(part)
    if (change === undefined) return
    const blockId = block.id
    if ('added' in change) this.#push([{ type: 'block-delta', blockId, text: change.added }])
    else this.#push([{ type: 'block-patch', blockId, text: change.whole }])
    this.#update(current.position)
  }

  /** The parts that the text of a reasoning segment consists of, by index; none for another segment. */
  partsOf(segmentId: string): readonly ReasoningPart[] {
    return this.#parts.get(segmentId)?.all() ?? []
  }

  /** Finishes the Event; calls without a result may still get one. If no Event has begun, finishes the placeholder. */
  finalizeCurrentEvent(): void {
    this.#end({})
  }

  /** For a stream that is cut off: the Event is finished as interrupted, no call stays open. */
  interruptCurrentEvent(): void {
    const position = this.#current?.position
    const isOfEarlierEvent = (id: string) => this.#callPositions.get(id) !== position
    for (const id of this.#calls.open().filter(isOfEarlierEvent)) this.#applyToCall(id, () => this.#calls.cancel(id))
    this.#end({ interrupted: true })
  }

  #end(ending: { readonly interrupted?: true }): void {
    if (this.#current === undefined && this.#ids.count > 0) return
    const current = this.#ensureCurrent()
    this.#closeBlock(current, ending)
    if (ending.interrupted) this.#push(this.#calls.open().flatMap((id) => this.#calls.cancel(id)))
    this.#push([{ type: 'message-end', messageId: current.id, ...ending }])
    this.#current = undefined
    this.#options.onFinalize?.(this.#draft(current.position))
  }

  /** Events of a call go to the Event that holds it; a new call goes to the end of the current Event. */
  #applyToCall(id: string, eventsOf: () => readonly StreamEvent[]): void {
    const isNew = !this.#calls.has(id)
    const events = eventsOf()
    if (events.length === 0) return
    if (isNew) {
      const current = this.#ensureCurrent()
      this.#closeBlock(current, {})
      this.#callPositions.set(id, current.position)
    }
    this.#push(events)
    this.#changeCall(id)
  }

  #changeCall(id: string): void {
    this.#change(this.#callPositions.get(id) ?? 0)
  }

  #change(position: number): void {
    if (position === this.#current?.position) this.#update(position)
    else this.#options.onFinalize?.(this.#draft(position))
  }

  #ensureCurrent(): CurrentEvent {
    return this.#current ?? this.#begin(undefined, {})
  }

  #begin(givenId: string | undefined, responseMetadata: JsonObject): CurrentEvent {
    const position = this.#ids.count
    const id = this.#ids.add(givenId)
    this.#current = { position, id, givenId, seenParts: new Set(), block: undefined, lastParts: undefined }
    const { model } = responseMetadata
    const meta = {
      ...(Object.keys(responseMetadata).length > 0 && { response: responseMetadata }),
      ...(givenId !== undefined && givenId !== id && { millrace: { givenId } }),
    }
    const start: EventOf<'message-start'> = { type: 'message-start', messageId: id, role: 'assistant' }
    const hasMeta = Object.keys(meta).length > 0
    this.#push([{ ...start, ...(typeof model === 'string' && { model }), ...(hasMeta && { meta }) }])
    return this.#current
  }

  #openBlock(current: CurrentEvent, kind: 'text' | 'reasoning', id = `${current.id}/${++this.#blocks}`): OpenBlock {
    this.#closeBlock(current, {})
    const block = { id, parts: kind === 'reasoning' ? createReasoningParts() : undefined }
    current.block = block
    if (block.parts !== undefined) {
      current.lastParts = block.parts
      this.#parts.set(id, block.parts)
    }
    this.#push([{ type: 'block-start', blockId: id, kind }])
    return block
  }

  #closeBlock(current: CurrentEvent, ending: { readonly interrupted?: true }): void {
    if (current.block === undefined) return
    this.#push([{ type: 'block-end', blockId: current.block.id, ...ending }])
    current.block = undefined
  }

  #push(events: readonly StreamEvent[]): void {
    const at = this.#options.now?.() ?? 0
    this.#fold.push(events.map((event) => ({ seq: ++this.#seq, at, event, rawThrough: 0 })))
  }

  #update(position: number): void {
    this.#options.onUpdate?.(this.#draft(position))
  }

  /** The folded chat event, under the id that the store uses. */
  #draft(position: number): ChatEvent {
    const folded = this.#fold.snapshot().chatEvents[position] as ChatEvent
    const segments = this.#calls.hasLateNames()
      ? folded.segments.map((segment) => this.#withLateName(segment))
      : folded.segments
    return { ...folded, id: this.#ids.at(position), segments }
  }

  #withLateName(segment: Segment): Segment {
    const name = segment.type === 'tool' ? this.#calls.lateName(segment.callId) : undefined
    return name === undefined || segment.type !== 'tool' ? segment : { ...segment, name }
  }
}
