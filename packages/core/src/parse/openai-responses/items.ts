import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { joined, SILENT, unmapped } from '../parser.ts'
import { closeCall, isCall, openCall } from './calls.ts'
import { approvalResponse, isOutput, outputOf } from './outputs.ts'
import { closeMessage, closeReasoning } from './prose.ts'
import type { RawItem } from './raw.ts'
import { errorText } from './results.ts'
import { addSlot, findSlot, type Response, type Run, type Slot } from './state.ts'

/** The events of a finished item that is neither a call nor an output. */
type Closer = (slot: Slot, item: RawItem, run: Run) => readonly StreamEvent[]

const closers: { readonly [type: string]: Closer } = {
  message: closeMessage,
  reasoning: closeReasoning,
  mcp_approval_response: (_slot, item, run) => approvalResponse(run, item),
  mcp_list_tools(slot, item) {
    const { error, server_label } = item
    const where = typeof server_label === 'string' ? server_label : 'A server'
    const failure: StreamEvent[] = error ? [{ type: 'error', message: `${where}: ${errorText(error)}` }] : []
    return [...dataOf(slot, item), ...failure]
  },
  compaction: compactionEvents,
  compaction_summary: compactionEvents,
  context_compaction: compactionEvents,
  additional_tools: dataOf,
  item_reference: dataOf,
}

/** An item's first events. Only calls are shown before they are done; other supported items wait for their end. */
export function openItem(run: Run, slot: Slot, item: RawItem): readonly StreamEvent[] {
  if (isCall(slot.type)) return openCall(run, slot, item)
  return Object.hasOwn(closers, slot.type) || isOutput(slot.type) ? SILENT : []
}

/** The whole item: what was streamed of it is not emitted again. `record` is kept if its type is unknown. */
export function closeItem(run: Run, slot: Slot, item: RawItem, record: unknown): readonly StreamEvent[] {
  const events = closed(run, slot, item, record)
  slot.isDone = true
  return events
}

function closed(run: Run, slot: Slot, item: RawItem, record: unknown): readonly StreamEvent[] {
  const closer = Object.hasOwn(closers, item.type) ? closers[item.type] : undefined
  if (closer !== undefined) return closer(slot, item, run)
  if (isOutput(item.type)) return outputOf(run, item)
  return isCall(item.type) ? closeCall(run, slot, item) : unmapped(record)
}

export function wholeItem(run: Run, item: RawItem, index: number | null | undefined, record: unknown): Added {
  const slot = addSlot(run.response, item, index)
  return { slot, events: joined([openItem(run, slot, item), closeItem(run, slot, item, record)]) }
}

interface Added {
  readonly slot: Slot
  readonly events: readonly StreamEvent[]
}

/**
 * Reads an item that is repeated, whole, after it was streamed: a streamed item is completed, and an item that was not
 * streamed is read now. `repeatedSlots` holds the items that were already repeated.
 */
export function repeatItem(
  run: Run,
  item: RawItem,
  index: number | undefined,
  repeatedSlots: Set<Slot>,
): readonly StreamEvent[] {
  const before = sameItem(run.response, item, index, repeatedSlots)
  if (before === undefined) {
    const { slot, events } = wholeItem(run, item, index, item)
    repeatedSlots.add(slot)
    return events
  }
  repeatedSlots.add(before)
  return before.isDone ? SILENT : closeItem(run, before, item, item)
}

/** By its id, its call, its index, otherwise the first of its type: gateways change ids and omit items. */
function sameItem(
  response: Response,
  item: RawItem,
  index: number | undefined,
  repeatedSlots: Set<Slot>,
): Slot | undefined {
  const fits = (slot: Slot | undefined) => slot !== undefined && slot.type === item.type && !repeatedSlots.has(slot)
  const byId = typeof item.id === 'string' ? response.byId.get(item.id) : undefined
  if (fits(byId)) return byId
  const { call_id } = item
  if (call_id) {
    return response.slots.find(({ type, call }) => type === item.type && call?.id === call_id)
  }
  const atIndex = findSlot(response, { output_index: index ?? null })
  return fits(atIndex) ? atIndex : response.slots.find(fits)
}

function compactionEvents(slot: Slot, item: RawItem): StreamEvent[] {
  return [...dataOf(slot, item), { type: 'status', message: 'Conversation compacted', level: 'info' }]
}

function dataOf(slot: Slot, item: RawItem): StreamEvent[] {
  const { type, ...fields } = item
  return [{ type: 'data', name: type, id: slot.id ?? slot.key, data: present(fields) as JsonObject as Json }]
}
