import { remember } from '../../data/remember.ts'
import type { JsonObject } from '../../json.ts'
import type { Annotation, ItemRef, RawItem } from './raw.ts'

/** The maximum number of items of a response, and of parts of an item: memory must not grow with an endless stream. */
export const MAX_HELD = 8192

/** One block of prose within an item. */
export interface Part {
  readonly blockId: string
  readonly annotations: Annotation[]
  isOpen: boolean
  /** Whether the whole text has arrived: later repetitions are not read. */
  isWhole: boolean
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
export interface Response {
  readonly messageId: string | undefined
  readonly prefix: string
  readonly slots: Slot[]
  readonly byIndex: Map<number, Slot>
  readonly byId: Map<string, Slot>
  /** Calls that the client must answer. */
  readonly unanswered: Set<string>
  /** Tool searches, in order: their outputs need not name them. */
  readonly searches: Set<string>
  isOpen: boolean
  /** The number of slots made, including forgotten ones. */
  count: number
}

/** The state of the whole stream, which may hold several responses. */
export interface Run {
  /** What runs the tools that the provider does not: the client, or an agent's loop around the responses. */
  readonly caller: 'client' | 'agent'
  response: Response
  isStarted: boolean
  ending: 'none' | 'stopped' | 'failed' | 'cancelled'
  reason: string | undefined
  metadata: JsonObject
  /** The name of the following steps: that of the current agent. */
  stepName: string | undefined
  readonly timesSeen: Map<string, number>
  /** Calls that needed approval, and those of them without an answer. */
  readonly approvalCalls: Set<string>
  readonly pendingApprovals: Set<string>
  /** Calls that have an output. */
  readonly answeredCalls: Set<string>
}

export function createRun(caller: Run['caller']): Run {
  return {
    caller,
    response: createResponse(undefined, 'response'),
    isStarted: false,
    ending: 'none',
    reason: undefined,
    metadata: {},
    stepName: undefined,
    timesSeen: new Map(),
    approvalCalls: new Set(),
    pendingApprovals: new Set(),
    answeredCalls: new Set(),
  }
}

function createResponse(messageId: string | undefined, prefix: string): Response {
  return {
    messageId,
    prefix,
    slots: [],
    byIndex: new Map(),
    byId: new Map(),
    unanswered: new Set(),
    searches: new Set(),
    isOpen: false,
    count: 0,
  }
}

/** The response that replaces the previous one; its id may have been used before. */
export function nextResponse({ timesSeen }: Run, id: string | null | undefined): Response {
  const messageId = id || `response-${timesSeen.size + 1}`
  const times = (timesSeen.get(messageId) ?? 0) + 1
  remember(timesSeen, messageId, times)
  return createResponse(messageId, times === 1 ? messageId : `${messageId}#${times}`)
}

/** The item of an event: by its id if that is known, otherwise by its index. */
export function findSlot({ byIndex, byId }: Response, { item_id, output_index }: ItemRef): Slot | undefined {
  const atIndex = typeof output_index === 'number' ? byIndex.get(output_index) : undefined
  if (atIndex !== undefined && atIndex.id === item_id) return atIndex
  return (typeof item_id === 'string' ? byId.get(item_id) : undefined) ?? atIndex
}

/** Opens a response whose start was missed. It does not reopen a response that has ended. */
export function ensureOpen({ response, ending }: Run): void {
  if (ending === 'none') response.isOpen = true
}

export function addSlot(response: Response, item: RawItem, index: number | null | undefined): Slot {
  if (response.slots.length >= MAX_HELD) forget(response)
  const slot: Slot = {
    key: `${response.prefix}:${response.count}`,
    type: item.type,
    id: item.id ?? undefined,
    item,
    parts: new Map(),
    call: undefined,
    isDone: false,
  }
  response.count += 1
  response.slots.push(slot)
  if (typeof index === 'number') response.byIndex.set(index, slot)
  if (slot.id !== undefined) response.byId.set(slot.id, slot)
  return slot
}

function forget({ slots, byIndex, byId }: Response): void {
  slots.length = 0
  byIndex.clear()
  byId.clear()
}
