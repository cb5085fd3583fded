import { present } from '../../data/present.ts'
import type { JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { closeCall, isCall, openCall, readApproval } from './calls.ts'
import { closeMessage, closeReasoning } from './prose.ts'
import type { RawItem } from './raw.ts'
import { errorText, isOutput, readOutput } from './results.ts'
import { addSlot, ensureOpen, findSlot, type Response, type Row, type Run, type Slot } from './state.ts'

/** Reads a finished item that is neither a call nor an output. Returns whether it is understood. */
type Closer = (out: Out, slot: Slot, item: RawItem, run: Run) => boolean

const closers: { readonly [type: string]: Closer } = {
  message: closeMessage,
  reasoning: closeReasoning,
  mcp_approval_response: (out, _slot, item, run) => readApproval(out, run, item),
  mcp_list_tools(out, slot, item) {
    const { error, server_label } = item
    addData(out, slot, item)
    if (error) out.push({ type: 'error', message: `${textIn(server_label) ?? 'A server'}: ${errorText(error)}` })
    return true
  },
  compaction: addCompaction,
  compaction_summary: addCompaction,
  context_compaction: addCompaction,
  additional_tools: addData,
  item_reference: addData,
}

function addCompaction(out: Out, slot: Slot, item: RawItem): true {
  addData(out, slot, item)
  out.push({ type: 'status', message: 'Conversation compacted', level: 'info' })
  return true
}

function addData(out: Out, slot: Slot, { type, ...fields }: RawItem): true {
  out.push({ type: 'data', name: type, id: slot.id ?? slot.key, data: present(fields) as JsonObject })
  return true
}

export const itemRows: { readonly [type: string]: Row } = {
  'response.output_item.added'(out, { item, output_index }, run) {
    const before = findSlot(run.response, { item_id: item.id ?? null, output_index: output_index ?? null })
    if (before?.isDone === false && before.type === item.type && before.id === item.id) return true
    ensureOpen(run)
    return openItem(out, run, addSlot(run.response, item, output_index), item)
  },
  'response.output_item.done'(out, raw, run) {
    const { item, output_index } = raw
    const before = findSlot(run.response, { item_id: item.id ?? null, output_index: output_index ?? null })
    ensureOpen(run)
    const isSameItem = before?.type === item.type && (!before.isDone || before.id === item.id)
    if (before !== undefined && isSameItem) return before.isDone || closeItem(out, run, before, item, raw)
    return readWhole(out, run, addSlot(run.response, item, output_index), item, raw)
  },
}

/** An item's first events. Only calls are shown before they are done; other supported items wait for their end. */
function openItem(out: Out, run: Run, slot: Slot, item: RawItem): boolean {
  if (isCall(slot.type)) return openCall(out, run, slot, item)
  return Object.hasOwn(closers, slot.type) || isOutput(slot.type)
}

/** The whole item: what was streamed of it is not emitted again. `record` is kept if its type is unknown. */
function closeItem(out: Out, run: Run, slot: Slot, item: RawItem, record: unknown): boolean {
  const isRead = readClosed(out, run, slot, item)
  if (isRead === undefined) out.push(...unmapped(record))
  slot.isDone = true
  return isRead ?? true
}

function readClosed(out: Out, run: Run, slot: Slot, item: RawItem): boolean | undefined {
  const closer = Object.hasOwn(closers, item.type) ? closers[item.type] : undefined
  if (closer !== undefined) return closer(out, slot, item, run)
  if (isOutput(item.type)) return readOutput(out, run, item)
  return isCall(item.type) ? closeCall(out, run, slot, item) : undefined
}

function readWhole(out: Out, run: Run, slot: Slot, item: RawItem, record: unknown): boolean {
  const isOpened = openItem(out, run, slot, item)
  return closeItem(out, run, slot, item, record) && isOpened
}

/**
 * Reads an item that is repeated, whole, after it was streamed: a streamed item is completed, and an item that was not
 * streamed is read now. `repeatedSlots` holds the items that were already repeated.
 */
export function repeatItem(
  out: Out,
  run: Run,
  item: RawItem,
  index: number | undefined,
  repeatedSlots: Set<Slot>,
): boolean {
  const before = sameItem(run.response, item, index, repeatedSlots)
  const slot = before ?? addSlot(run.response, item, index)
  const isRead = before?.isDone || (before === undefined ? readWhole : closeItem)(out, run, slot, item, item)
  repeatedSlots.add(slot)
  return isRead
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
  if (call_id) return response.slots.find(({ type, call }) => type === item.type && call?.id === call_id)
  const atIndex = findSlot(response, { output_index: index ?? null })
  return fits(atIndex) ? atIndex : response.slots.find(fits)
}
