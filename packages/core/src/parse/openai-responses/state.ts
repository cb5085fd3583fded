import { remember } from '../../data/remember.ts'
import type { JsonObject } from '../../json.ts'
import type { Annotation, ItemRef, RawItem } from './raw.ts'

/** How many items of a response, and parts of an item, are held: an endless stream must not grow. */
export const MAX_HELD = 8192

/** One block of prose within an item. */
export interface Part {
  readonly blockId: string
  readonly annotations: Annotation[]
  isOpen: boolean
  /** Its whole text was given: what repeats it later is not read again. */
  isWhole: boolean
}

/** A call within an item. */
export interface Call {
  readonly id: string
  hasInput: boolean
  /** How many strings of an input that is not JSON by itself were begun, and what would end the JSON written so far. */
  strings: number
  end: string
}

/** One item of the output, from its first event on. */
export interface Slot {
  /** Begins the ids of its blocks. */
  readonly key: string
  readonly type: string
  readonly id: string | undefined
  /** The item as it was when it was added; of an item that was joined late, only its type. */
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
  /** Searches for tools, in order: their outputs need not say to which of them they belong. */
  readonly searches: Set<string>
  isOpen: boolean
  /** Slots that were made, also of those that are forgotten. */
  count: number
}

/** What is known of the whole stream, which may hold several responses. */
export interface Run {
  /** Who runs the tools that the provider does not: the client, or an agent's loop around the responses. */
  readonly caller: 'client' | 'agent'
  response: Response
  isStarted: boolean
  ending: 'none' | 'stopped' | 'failed' | 'cancelled'
  reason: string | undefined
  metadata: JsonObject
  /** The name of the steps that begin from now on: who it is that speaks. */
  stepName: string | undefined
  readonly timesSeen: Map<string, number>
  /** Calls that a person was asked about, and those of them without an answer. */
  readonly approvalCalls: Set<string>
  readonly pendingApprovals: Set<string>
  /** Calls that have their output. */
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

/** A response that takes the place of the one before; its id may have been there already. */
export function nextResponse({ timesSeen }: Run, id: string | null | undefined): Response {
  const messageId = id || `response-${timesSeen.size + 1}`
  const times = (timesSeen.get(messageId) ?? 0) + 1
  remember(timesSeen, messageId, times)
  return createResponse(messageId, times === 1 ? messageId : `${messageId}#${times}`)
}

/** The item that an event speaks of: the id is trusted where it is known, else the index decides. */
export function findSlot({ byIndex, byId }: Response, { item_id, output_index }: ItemRef): Slot | undefined {
  const atIndex = typeof output_index === 'number' ? byIndex.get(output_index) : undefined
  if (atIndex !== undefined && atIndex.id === item_id) return atIndex
  return (typeof item_id === 'string' ? byId.get(item_id) : undefined) ?? atIndex
}

/** An item may come in a stream that was joined after the start of its response; none opens one that has ended. */
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
