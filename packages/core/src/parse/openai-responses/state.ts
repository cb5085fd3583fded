import type { JsonObject } from '../../json.ts'
import { keep } from '../kit/keep.ts'
import { createUniqueIds } from '../kit/unique-ids.ts'
import type { Out } from '../kit/voice.ts'
import type { Annotation, RawEvent, RawItem } from './raw.ts'

/** The maximum number of items of a response, and of parts of an item: memory must not grow with an endless stream. */
export const MAX_HELD = 8192

/** One function per type of event. It returns false if it does not understand the event. */
export type Rows = {
  readonly [Type in RawEvent['type']]: (out: Out, raw: Extract<RawEvent, { type: Type }>, run: Run) => unknown
}

/** One block of prose within an item. */
export interface Part {
  readonly blockId: string
  readonly annotations: Annotation[]
  /** Once the whole text has arrived, the part is closed: later repetitions are not read. */
  isOpen: boolean
}

/** A call within an item. */
export interface Call {
  readonly id: string
  hasInput: boolean
  /** For an input that is not JSON: the number of strings begun, and the text that completes the JSON so far. */
  strings: number
  end: string
}

/** One item of the output, from its first event on. */
export interface Slot {
  /** The prefix of the ids of its blocks. */
  readonly key: string
  readonly type: string
  readonly id: string | undefined
  /** The item as it was added; only its type if its start was missed. */
  readonly item: RawItem
  readonly parts: Map<number, Part>
  call: Call | undefined
  isDone: boolean
}

/** The response being read. */
export type Response = ReturnType<typeof createResponse>

export function createResponse(messageId: string | undefined, prefix: string) {
  return {
    messageId,
    prefix,
    slots: [] as Slot[],
    byIndex: new Map<number, Slot>(),
    byId: new Map<string, Slot>(),
    /** Items that arrived again outside the stream of the response. */
    repeatedSlots: new Set<Slot>(),
    /** Calls that the client must answer. */
    unanswered: new Set<string>(),
    /** Tool searches, in order: their outputs need not name them. */
    searches: new Set<string>(),
    isOpen: false,
    /** The number of slots made, including forgotten ones. */
    count: 0,
  }
}

/** The state of the whole stream, which may hold several responses. */
export type Run = ReturnType<typeof createRun>

/** `caller` runs the tools that the provider does not: the client, or an agent's loop around the responses. */
export function createRun(caller: 'client' | 'agent') {
  return {
    caller,
    response: createResponse(undefined, 'response'),
    isStarted: false,
    ending: 'none' as 'none' | 'stopped' | 'failed' | 'cancelled',
    reason: undefined as string | undefined,
    metadata: {} as JsonObject,
    /** The name of the following steps: that of the current agent. */
    stepName: undefined as string | undefined,
    ids: createUniqueIds(),
    responseCount: 0,
    /** Calls that needed approval, and those of them without an answer. */
    approvalCalls: new Set<string>(),
    pendingApprovals: new Set<string>(),
    /** Calls that have an output. */
    answeredCalls: new Set<string>(),
  }
}

/** An item: by its id if that is known, otherwise by its index. */
export function findSlot({ byIndex, byId }: Response, id: Ref<string>, index: Ref<number>): Slot | undefined {
  const atIndex = typeof index === 'number' ? byIndex.get(index) : undefined
  if (atIndex !== undefined && atIndex.id === id) return atIndex
  return (typeof id === 'string' ? byId.get(id) : undefined) ?? atIndex
}

type Ref<Value> = Value | null | undefined

/** Opens a response whose start was missed. It does not reopen a response that has ended. */
export function ensureOpen({ response, ending }: Run): void {
  if (ending === 'none') response.isOpen = true
}

export function addSlot(response: Response, item: RawItem, index: Ref<number>): Slot {
  const { slots, byIndex, byId, repeatedSlots } = response
  if (slots.length >= MAX_HELD) {
    slots.length = 0
    byIndex.clear()
    byId.clear()
    repeatedSlots.clear()
  }
  const key = `${response.prefix}:${response.count++}`
  const { type, id } = item
  const slot: Slot = { key, type, id: id ?? undefined, item, parts: new Map(), call: undefined, isDone: false }
  slots.push(slot)
  if (typeof index === 'number') byIndex.set(index, slot)
  if (slot.id !== undefined) byId.set(slot.id, slot)
  return slot
}

/** Fields that OpenAI expects back in the next request. */
export const openaiMeta = (fields: object) => keep('openai', fields)
