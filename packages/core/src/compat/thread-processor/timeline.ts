import type { ToolCallData, ToolResultData } from '../../data/thread-event.ts'

export interface TextItem<Type extends string> {
  type: Type
  content: string
  timestamp: Date
  id: string
}

/** A call with its result, both as they are stored. */
export interface ToolExecution {
  type: 'tool_execution'
  call: ToolCallData
  /** Absent while the call is pending. */
  result?: ToolResultData
  timestamp: Date
  callId: string
}

/** Text that is still being written. */
export interface EphemeralItem {
  type: 'ephemeral_message'
  messageType: string
  content: string
  timestamp: Date
}

export type TimelineItem =
  | TextItem<'user_message'>
  | TextItem<'agent_message'>
  | TextItem<'thinking'>
  | TextItem<'system_message'>
  | ToolExecution
  | EphemeralItem

export interface Timeline {
  items: TimelineItem[]
  metadata: {
    /** The number of items of stored events. */
    eventCount: number
    /** Those of the user and of the agent. */
    messageCount: number
    /** The newest time of an item; now if there is none. */
    lastActivity: Date
  }
}

/** The items of stored events. */
export type ProcessedThreadItems = Exclude<TimelineItem, EphemeralItem>[]

/** The items of streaming messages, whose thoughts are items of their own. */
export type EphemeralTimelineItems = (EphemeralItem | TextItem<'thinking'>)[]

/** What a timeline says of its stored items. */
export interface StoredTotals {
  readonly length: number
  /** The items of the user and of the agent. */
  readonly messages: number
  /** The newest time, in ms; `-Infinity` if there is no item. */
  readonly newest: number
}

const NO_ITEMS: StoredTotals = { length: 0, messages: 0, newest: Number.NEGATIVE_INFINITY }

/** The totals of items, `counted` being those of the first of them. */
export function totalsOf(items: ProcessedThreadItems, counted = NO_ITEMS): StoredTotals {
  let { messages, newest } = counted
  for (const item of items.slice(counted.length)) {
    if (item.type === 'user_message' || item.type === 'agent_message') messages++
    newest = Math.max(newest, timeOf(item))
  }
  return { length: items.length, messages, newest }
}

/**
 * Stored items and streaming ones in the order of time; of equal times, the stored item is first. Each list keeps its
 * own order. What is streaming is usually newer than what is stored.
 */
export function mergedByTime(
  stored: readonly TimelineItem[],
  { newest }: StoredTotals,
  ephemeral: readonly TimelineItem[],
): TimelineItem[] {
  if (ephemeral.every((item) => timeOf(item) >= newest)) return stored.concat(ephemeral)
  const merged: TimelineItem[] = []
  let next = 0
  for (const item of stored) {
    while (next < ephemeral.length && timeOf(ephemeral[next]) < timeOf(item))
      merged.push(ephemeral[next++] as TimelineItem)
    merged.push(item)
  }
  return [...merged, ...ephemeral.slice(next)]
}

export function timeOf(item: TimelineItem | undefined): number {
  return item?.timestamp.getTime() ?? 0
}
