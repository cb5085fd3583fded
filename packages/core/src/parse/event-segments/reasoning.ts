import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { type Block, createRepeatedDeltas, type OpenBlockHolder, type RepeatedDeltas, switchTo } from './blocks.ts'
import type { Part } from './raw.ts'

interface ReasoningPart {
  readonly index: number
  text: string
  readonly repeatedDeltas: RepeatedDeltas
  sequence: number
  toSkip: number
}

interface Item {
  readonly blocks: Block[]
  /** Sorted by index. */
  readonly parts: ReasoningPart[]
}

/** The reasoning of one Event: items of parts. */
export interface Reasoning {
  readonly items: Map<string, Item>
}

type ReasoningHolder = OpenBlockHolder & { readonly reasoning: Reasoning }

export const createReasoning = (): Reasoning => ({ items: new Map() })

/** Parts are joined as paragraphs. */
const BETWEEN = '\n\n'

/** Bounds the memory for a stream with endlessly many items. */
const MAX_ITEMS = 1024

function itemOf({ reasoning: { items } }: ReasoningHolder, itemId: string): Item {
  return items.get(itemId) ?? remember(items, itemId, { blocks: [], parts: [] }, MAX_ITEMS)
}

function partOf({ parts }: Item, index: number): ReasoningPart {
  const existing = parts.find((part) => part.index === index)
  if (existing !== undefined) return existing
  const part = { index, text: '', repeatedDeltas: createRepeatedDeltas(), sequence: 0, toSkip: 0 }
  const after = parts.findIndex((other) => other.index > index)
  parts.splice(after === -1 ? parts.length : after, 0, part)
  return part
}

/** Adds a delta of a part, from an event of its own or from a segment. */
export function addPart(message: ReasoningHolder, itemId: string, form: 'event' | 'segment', raw: Part): StreamEvent[] {
  const { summary_index: index, text, sequence_number: sequence, is_complete: isComplete } = raw
  const item = itemOf(message, itemId)
  const part = partOf(item, index ?? 0)
  if (isComplete && text?.startsWith(part.text)) return grow(message, itemId, item, part, text.slice(part.text.length))
  const isRepeated = part.repeatedDeltas.isRepeated(form, text ?? '')
  if (typeof sequence === 'number' && sequence > 0) {
    if (sequence <= part.sequence) return []
    part.sequence = sequence
  }
  if (isRepeated || !text) return []
  const skipped = Math.min(part.toSkip, text.length)
  part.toSkip -= skipped
  return grow(message, itemId, item, part, text.slice(skipped))
}

/** Settles a part, or an item whose parts are not distinguished, to its whole text. */
export function settlePart(message: ReasoningHolder, itemId: string, index: number, text: string): StreamEvent[] {
  const item = itemOf(message, itemId)
  const part = partOf(item, index)
  if (text === part.text || text === '') return []
  if (text.startsWith(part.text)) return grow(message, itemId, item, part, text.slice(part.text.length))
  part.text = text
  return rewrite(item)
}

/** Settles an item to its whole text. */
export function settleItem(
  message: ReasoningHolder,
  itemId: string,
  parts: readonly Part[],
  combined: string,
): StreamEvent[] {
  const filledParts = parts.filter(({ text }) => text)
  const emittedText = textOf(itemOf(message, itemId))
  if (filledParts.length === 0) return combined === emittedText ? [] : settlePart(message, itemId, 0, combined)
  return filledParts.flatMap((part) => settlePart(message, itemId, part.summary_index ?? 0, part.text ?? ''))
}

/** The stream replays the reasoning from its beginning, so the text so far is skipped. */
export function replayReasoning({ reasoning }: ReasoningHolder): void {
  for (const item of reasoning.items.values()) for (const part of item.parts) part.toSkip = part.text.length
}

/** The last block of an item. An item without text gets a redacted block. */
export function sealedBlock(message: ReasoningHolder, itemId: string): [Block, StreamEvent[]] {
  const { blocks } = itemOf(message, itemId)
  const last = blocks.at(-1)
  if (last !== undefined) return [last, []]
  const block = { id: itemId, text: '' }
  blocks.push(block)
  const start = {
    type: 'block-start' as const,
    blockId: itemId,
    kind: 'reasoning' as const,
    variant: 'redacted' as const,
  }
  return [block, [...switchTo(message, block), start]]
}

function grow(message: ReasoningHolder, itemId: string, item: Item, part: ReasoningPart, text: string): StreamEvent[] {
  if (text === '') return []
  const isNew = part.text === ''
  part.text += text
  const current = item.blocks.at(-1)
  if (current === undefined || current !== message.open) {
    const block = { id: item.blocks.length === 0 ? itemId : `${itemId}#${item.blocks.length + 1}`, text }
    item.blocks.push(block)
    return [
      ...switchTo(message, block),
      { type: 'block-start', blockId: block.id, kind: 'reasoning', variant: 'summary' },
      { type: 'block-delta', blockId: block.id, text },
    ]
  }
  if (part !== item.parts.filter((each) => each.text !== '').at(-1)) return rewrite(item)
  const added = isNew && current.text !== '' ? BETWEEN + text : text
  current.text += added
  return [{ type: 'block-delta', blockId: current.id, text: added }]
}

/** An item that changed elsewhere than at its end is rewritten whole in its first block. */
function rewrite(item: Item): StreamEvent[] {
  return item.blocks.map((block, index) => {
    block.text = index === 0 ? textOf(item) : ''
    return { type: 'block-patch', blockId: block.id, text: block.text }
  })
}

function textOf({ parts }: Item): string {
  const filledParts = parts.filter(({ text }) => text !== '')
  return filledParts.map(({ text }) => text).join(BETWEEN)
}
