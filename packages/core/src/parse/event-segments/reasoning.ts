import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { type Block, type Speaker, switchTo } from './open-block.ts'
import type { Part } from './raw.ts'
import { createTwins, type Twins } from './twins.ts'

/** A part of an item. */
interface KnownPart {
  readonly index: number
  text: string
  readonly twins: Twins
  sequence: number
  toSkip: number
}

interface Item {
  readonly blocks: Block[]
  /** Sorted by index. */
  readonly parts: KnownPart[]
}

/** The reasoning of one Event: items of parts. */
export interface Reasoning {
  readonly items: Map<string, Item>
}

/** Whose reasoning it is. */
type Thinker = Speaker & { readonly reasoning: Reasoning }

export const createReasoning = (): Reasoning => ({ items: new Map() })

/** Parts are paragraphs. */
const BETWEEN = '\n\n'

/** A stream has few items; one that names a new one each time must not grow. */
const MAX_ITEMS = 1024

function itemOf({ reasoning: { items } }: Thinker, itemId: string): Item {
  return items.get(itemId) ?? remember(items, itemId, { blocks: [], parts: [] }, MAX_ITEMS)
}

function partOf({ parts }: Item, index: number): KnownPart {
  const known = parts.find((part) => part.index === index)
  if (known !== undefined) return known
  const part = { index, text: '', twins: createTwins(), sequence: 0, toSkip: 0 }
  const after = parts.findIndex((other) => other.index > index)
  parts.splice(after === -1 ? parts.length : after, 0, part)
  return part
}

/** A piece of a part, said by an event of its own or by a segment. */
export function addPart(message: Thinker, itemId: string, form: 'event' | 'segment', raw: Part): StreamEvent[] {
  const { summary_index: index, text, sequence_number: sequence, is_complete: isComplete } = raw
  const item = itemOf(message, itemId)
  const part = partOf(item, index ?? 0)
  if (isComplete && text?.startsWith(part.text)) return grow(message, itemId, item, part, text.slice(part.text.length))
  const isSecond = part.twins.isSecond(form, text ?? '')
  if (typeof sequence === 'number' && sequence > 0) {
    if (sequence <= part.sequence) return []
    part.sequence = sequence
  }
  if (isSecond || !text) return []
  const skipped = Math.min(part.toSkip, text.length)
  part.toSkip -= skipped
  return grow(message, itemId, item, part, text.slice(skipped))
}

/** The whole text of a part, or of an item whose parts are not told apart. */
export function settlePart(message: Thinker, itemId: string, index: number, text: string): StreamEvent[] {
  const item = itemOf(message, itemId)
  const part = partOf(item, index)
  if (text === part.text || text === '') return []
  if (text.startsWith(part.text)) return grow(message, itemId, item, part, text.slice(part.text.length))
  part.text = text
  return rewrite(item)
}

/** All that an item said, whole. */
export function settleItem(message: Thinker, itemId: string, parts: readonly Part[], combined: string): StreamEvent[] {
  const given = parts.filter(({ text }) => text)
  const said = textOf(itemOf(message, itemId))
  if (given.length === 0) return combined === said ? [] : settlePart(message, itemId, 0, combined)
  return given.flatMap((part) => settlePart(message, itemId, part.summary_index ?? 0, part.text ?? ''))
}

/** The text is replayed from its beginning: what is known of it comes again. */
export function replayReasoning({ reasoning }: Thinker): void {
  for (const item of reasoning.items.values()) for (const part of item.parts) part.toSkip = part.text.length
}

/** The block that an item said last; where it said nothing, none of its words may be read. */
export function sealedBlock(message: Thinker, itemId: string): [Block, StreamEvent[]] {
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

function grow(message: Thinker, itemId: string, item: Item, part: KnownPart, text: string): StreamEvent[] {
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

/** An item that changed elsewhere than at its end is said whole, in its first block. */
function rewrite(item: Item): StreamEvent[] {
  return item.blocks.map((block, place) => {
    block.text = place === 0 ? textOf(item) : ''
    return { type: 'block-patch', blockId: block.id, text: block.text }
  })
}

function textOf({ parts }: Item): string {
  const said = parts.filter(({ text }) => text !== '')
  return said.map(({ text }) => text).join(BETWEEN)
}
