import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import {
  beginBlock,
  createDeltas,
  extendBlock,
  type Form,
  type Message,
  openOf,
  type ReasoningItem,
  type ReasoningPart,
  rewriteBlock,
} from './message.ts'
import type { Fields, Part } from './raw.ts'

/** Parts are joined as paragraphs. */
const BETWEEN = '\n\n'

/** Bounds the memory for a stream with endlessly many items. */
const MAX_ITEMS = 1024

/** The item of a record, or of a segment. */
export function itemIdOf(message: Message, { id, item_id }: Fields): string {
  return id ?? item_id ?? `${message.id}:reasoning`
}

function itemOf({ reasoning }: Message, itemId: string): ReasoningItem {
  return reasoning.get(itemId) ?? remember(reasoning, itemId, { blocks: [], parts: [] }, MAX_ITEMS)
}

function partOf({ parts }: ReasoningItem, index: number): ReasoningPart {
  const existing = parts.find((part) => part.index === index)
  if (existing !== undefined) return existing
  const part = { index, text: '', deltas: createDeltas() }
  const after = parts.findIndex((other) => other.index > index)
  parts.splice(after === -1 ? parts.length : after, 0, part)
  return part
}

/** Adds a delta of a part, from an event of its own or from a segment. */
export function addPart(out: Out, message: Message, itemId: string, form: Form, raw: Part): void {
  const { summary_index, sequence_number: sequence, is_complete: isComplete } = raw
  const text = raw.text ?? ''
  const part = partOf(itemOf(message, itemId), summary_index ?? 0)
  const isKnown = isComplete && text.startsWith(part.text)
  // A part whose sequence number is 0 is not numbered.
  const number = sequence && sequence > 0 ? sequence : undefined
  const more = isKnown ? text.slice(part.text.length) : part.deltas.newTextIn(form, text, number)
  grow(out, message, itemId, part, more)
}

/** Settles a part, or an item whose parts are not distinguished, to its whole text. */
export function settlePart(out: Out, message: Message, itemId: string, { summary_index, text }: Part): void {
  const item = itemOf(message, itemId)
  const part = partOf(item, summary_index ?? 0)
  if (!text) return
  if (text.startsWith(part.text)) grow(out, message, itemId, part, text.slice(part.text.length))
  else {
    part.text = text
    rewrite(out, item)
  }
}

/** Settles an item to its whole text, with the signature and encrypted content that the provider needs back. */
export function settleItem(out: Out, message: Message, raw: Fields): void {
  const itemId = itemIdOf(message, raw)
  const parts = (raw.parts ?? []).filter(({ text }) => text)
  const wholeText = raw.combined_text ?? (typeof raw.summary === 'string' ? raw.summary : '')
  for (const part of parts) settlePart(out, message, itemId, part)
  if (parts.length === 0 && wholeText !== textOf(itemOf(message, itemId)))
    settlePart(out, message, itemId, { text: wholeText })
  const seal = present({ signature: raw.signature, encrypted: raw.encrypted_content })
  if (isEmpty(seal)) return
  // Redacted reasoning has nothing else.
  const { blocks } = itemOf(message, itemId)
  const start = { blockId: itemId, kind: 'reasoning', variant: 'redacted' } as const
  const block = blocks.at(-1) ?? beginBlock(out, message, blocks, start)
  out.push({ type: 'block-patch', blockId: block.id, ...seal })
}

/** The stream replays the reasoning from its beginning, so the text so far is skipped. */
export function replayReasoning({ reasoning }: Message): void {
  for (const { parts } of reasoning.values()) for (const { deltas, text } of parts) deltas.replay(text.length)
}

function grow(out: Out, message: Message, itemId: string, part: ReasoningPart, text: string): void {
  if (text === '') return
  const item = itemOf(message, itemId)
  const isNew = part.text === ''
  part.text += text
  const block = openOf(message, item.blocks)
  if (block === undefined) {
    const blockId = item.blocks.length === 0 ? itemId : `${itemId}#${item.blocks.length + 1}`
    beginBlock(out, message, item.blocks, { blockId, kind: 'reasoning', variant: 'summary', text })
  } else if (part !== item.parts.findLast((each) => each.text !== '')) rewrite(out, item)
  else extendBlock(out, block, isNew && block.text !== '' ? BETWEEN + text : text)
}

/** An item that changed elsewhere than at its end is rewritten whole in its first block. */
function rewrite(out: Out, item: ReasoningItem): void {
  for (const [index, block] of item.blocks.entries()) rewriteBlock(out, block, index === 0 ? textOf(item) : '')
}

function textOf({ parts }: ReasoningItem): string {
  const filledParts = parts.filter(({ text }) => text !== '')
  return filledParts.map(({ text }) => text).join(BETWEEN)
}
