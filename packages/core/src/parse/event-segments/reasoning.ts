import { remember } from '../../data/remember.ts'
import type { Out } from '../kit/voice.ts'
import {
  type Block,
  createDeltas,
  type Deltas,
  type Form,
  type OpenBlockHolder,
  rewriteBlock,
  switchTo,
} from './message.ts'
import type { Part } from './raw.ts'

interface ReasoningPart {
  readonly index: number
  text: string
  readonly deltas: Deltas
}

interface Item {
  readonly blocks: Block[]
  /** Sorted by index. */
  readonly parts: ReasoningPart[]
}

/** The reasoning of one Event: items of parts. */
export type Reasoning = Map<string, Item>

type ReasoningHolder = OpenBlockHolder & { readonly reasoning: Reasoning }

/** Parts are joined as paragraphs. */
const BETWEEN = '\n\n'

/** Bounds the memory for a stream with endlessly many items. */
const MAX_ITEMS = 1024

function itemOf({ reasoning }: ReasoningHolder, itemId: string): Item {
  return reasoning.get(itemId) ?? remember(reasoning, itemId, { blocks: [], parts: [] }, MAX_ITEMS)
}

function partOf({ parts }: Item, index: number): ReasoningPart {
  const existing = parts.find((part) => part.index === index)
  if (existing !== undefined) return existing
  const part = { index, text: '', deltas: createDeltas() }
  const after = parts.findIndex((other) => other.index > index)
  parts.splice(after === -1 ? parts.length : after, 0, part)
  return part
}

/** Adds a delta of a part, from an event of its own or from a segment. */
export function addPart(out: Out, message: ReasoningHolder, itemId: string, form: Form, raw: Part): void {
  const { summary_index: index, sequence_number: sequence, is_complete: isComplete } = raw
  const text = raw.text ?? ''
  const part = partOf(itemOf(message, itemId), index ?? 0)
  const isKnown = isComplete && text.startsWith(part.text)
  const more = isKnown ? text.slice(part.text.length) : part.deltas.newTextIn(form, text, numbered(sequence))
  grow(out, message, itemId, part, more)
}

/** A part whose sequence number is 0 is not numbered. */
const numbered = (sequence: number | null | undefined) => (sequence && sequence > 0 ? sequence : undefined)

/** Settles a part, or an item whose parts are not distinguished, to its whole text. */
export function settlePart(out: Out, message: ReasoningHolder, itemId: string, index: number, text: string): void {
  const item = itemOf(message, itemId)
  const part = partOf(item, index)
  if (text === part.text || text === '') return
  if (text.startsWith(part.text)) {
    grow(out, message, itemId, part, text.slice(part.text.length))
    return
  }
  part.text = text
  rewrite(out, item)
}

/** Settles an item to its whole text. */
export function settleItem(
  out: Out,
  message: ReasoningHolder,
  itemId: string,
  parts: readonly Part[],
  combined: string,
): void {
  const filledParts = parts.filter(({ text }) => text)
  for (const { summary_index, text } of filledParts) settlePart(out, message, itemId, summary_index ?? 0, text ?? '')
  if (filledParts.length === 0 && combined !== textOf(itemOf(message, itemId)))
    settlePart(out, message, itemId, 0, combined)
}

/** The stream replays the reasoning from its beginning, so the text so far is skipped. */
export function replayReasoning({ reasoning }: ReasoningHolder): void {
  for (const { parts } of reasoning.values()) for (const { deltas, text } of parts) deltas.replay(text.length)
}

/** The last block of an item. An item without text gets a redacted block. */
export function sealedBlock(out: Out, message: ReasoningHolder, itemId: string): Block {
  const { blocks } = itemOf(message, itemId)
  const last = blocks.at(-1)
  if (last !== undefined) return last
  const block = { id: itemId, text: '' }
  blocks.push(block)
  switchTo(out, message, block)
  out.push({ type: 'block-start', blockId: itemId, kind: 'reasoning', variant: 'redacted' })
  return block
}

function grow(out: Out, message: ReasoningHolder, itemId: string, part: ReasoningPart, text: string): void {
  if (text === '') return
  const item = itemOf(message, itemId)
  const isNew = part.text === ''
  part.text += text
  const current = item.blocks.at(-1)
  if (current === undefined || current !== message.open) {
    const block = { id: item.blocks.length === 0 ? itemId : `${itemId}#${item.blocks.length + 1}`, text }
    item.blocks.push(block)
    switchTo(out, message, block)
    out.push(
      { type: 'block-start', blockId: block.id, kind: 'reasoning', variant: 'summary' },
      { type: 'block-delta', blockId: block.id, text },
    )
  } else if (part !== item.parts.findLast((each) => each.text !== '')) rewrite(out, item)
  else {
    const added = isNew && current.text !== '' ? BETWEEN + text : text
    current.text += added
    out.push({ type: 'block-delta', blockId: current.id, text: added })
  }
}

/** An item that changed elsewhere than at its end is rewritten whole in its first block. */
function rewrite(out: Out, item: Item): void {
  for (const [index, block] of item.blocks.entries()) rewriteBlock(out, block, index === 0 ? textOf(item) : '')
}

function textOf({ parts }: Item): string {
  const filledParts = parts.filter(({ text }) => text !== '')
  return filledParts.map(({ text }) => text).join(BETWEEN)
}
