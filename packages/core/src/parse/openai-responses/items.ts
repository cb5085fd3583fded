import { present } from '../../data/present.ts'
import type { JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { closeCall, isCall, openCall, readApproval } from './calls.ts'
import { closeMessage, closeReasoning } from './prose.ts'
import type { RawItem } from './raw.ts'
import { errorText, isOutput, readOutput } from './results.ts'
import { addSlot, ensureOpen, findSlot, type Response, type Rows, type Run, type Slot } from './state.ts'

/** Reads a finished item: what was streamed of it is not emitted again. Returns false if it does not understand it. */
type Closer = (out: Out, run: Run, slot: Slot, item: RawItem) => unknown

const closers: { readonly [type: string]: Closer } = {
  message: closeMessage,
  reasoning: closeReasoning,
  mcp_approval_response: readApproval,
  mcp_list_tools(out, run, slot, item) {
    const { error, server_label } = item
    addData(out, run, slot, item)
    if (error) out.push({ type: 'error', message: `${textIn(server_label) ?? 'A server'}: ${errorText(error)}` })
  },
  compaction: addCompaction,
  compaction_summary: addCompaction,
  context_compaction: addCompaction,
  additional_tools: addData,
  item_reference: addData,
}

function closerOf(type: string): Closer | undefined {
  if (Object.hasOwn(closers, type)) return closers[type]
  if (isOutput(type)) return readOutput
  return isCall(type) ? closeCall : undefined
}

function addCompaction(out: Out, run: Run, slot: Slot, item: RawItem): void {
  addData(out, run, slot, item)
  out.push({ type: 'status', message: 'Conversation compacted', level: 'info' })
}

function addData(out: Out, _run: Run, slot: Slot, { type, ...fields }: RawItem): void {
  out.push({ type: 'data', name: type, id: slot.id ?? slot.key, data: present(fields) as JsonObject })
}

export const itemRows = {
  /** Only calls are shown before they are done; other supported items wait for their end. */
  'response.output_item.added'(out, { item, output_index }, run) {
    const before = findSlot(run.response, item.id, output_index)
    if (before?.isDone === false && before.type === item.type && before.id === item.id) return true
    ensureOpen(run)
    const slot = addSlot(run.response, item, output_index)
    if (isCall(item.type)) openCall(out, run, slot, item)
    return closerOf(item.type) !== undefined
  },
  'response.output_item.done'(out, raw, run) {
    const { item, output_index } = raw
    const before = findSlot(run.response, item.id, output_index)
    ensureOpen(run)
    const isSameItem = before?.type === item.type && (!before.isDone || before.id === item.id)
    const slot = isSameItem ? before : addSlot(run.response, item, output_index)
    return closeItem(out, run, slot, item, raw)
  },
} satisfies Partial<Rows>

/** Reads a whole item once. `record` is kept if its type is unknown. */
function closeItem(out: Out, run: Run, slot: Slot, item: RawItem, record: unknown): unknown {
  if (slot.isDone) return true
  const close = closerOf(item.type)
  if (close === undefined) keepRaw(out, record)
  const isRead = close?.(out, run, slot, item)
  slot.isDone = true
  return isRead
}

/**
 * Reads an item that is repeated, whole, after it was streamed: a streamed item is completed, and an item that was not
 * streamed is read now. `repeatedSlots` holds the items that were already repeated.
 */
export function repeatItem(out: Out, run: Run, item: RawItem, index: number | undefined, repeatedSlots: Set<Slot>) {
  const slot = sameItem(run.response, item, index, repeatedSlots) ?? addSlot(run.response, item, index)
  const isRead = closeItem(out, run, slot, item, item)
  repeatedSlots.add(slot)
  return isRead
}

/** By its id, its call, its index, otherwise the first of its type: gateways change ids and omit items. */
function sameItem(
  { byId, byIndex, slots }: Response,
  { type, id, call_id }: RawItem,
  index: number | undefined,
  repeatedSlots: Set<Slot>,
): Slot | undefined {
  const fits = (slot: Slot | undefined) => slot !== undefined && slot.type === type && !repeatedSlots.has(slot)
  const named = byId.get(id ?? '')
  if (fits(named)) return named
  if (call_id) return slots.find((slot) => slot.type === type && slot.call?.id === call_id)
  const atIndex = byIndex.get(index ?? -1)
  return fits(atIndex) ? atIndex : slots.find(fits)
}
