import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { understood } from '../parser.ts'
import { growth, type OpenItems } from './open-items.ts'
import type { ProseItem } from './raw.ts'

interface Kind {
  readonly kind: BlockKind
  readonly variant?: BlockVariant
}

const kinds: { readonly [type: string]: Kind | undefined } = {
  agent_message: { kind: 'text' },
  assistant_message: { kind: 'text' },
  plan: { kind: 'text', variant: 'plan' },
  reasoning: { kind: 'reasoning', variant: 'summary' },
}

export function kindOf(type: string, phase?: string | null): Kind | undefined {
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  return kind?.kind === 'text' && phase === 'commentary' ? { kind: 'text', variant: 'commentary' } : kind
}

/** A record of a message, a reasoning summary or a plan. It holds the text so far, or all of it. */
export function proseEvents(items: OpenItems, item: ProseItem, kind: Kind, isLast: boolean): StreamEvent[] {
  const { id: blockId } = item
  const text = item.text ?? item.content ?? ''
  if (typeof text !== 'string') throw new TypeError('The text of an item is not a string.')
  const existing = items.get(blockId)
  const open = existing ?? items.open(blockId)
  const start: StreamEvent[] = existing === undefined ? [{ type: 'block-start', blockId, ...kind }] : []
  const more = growth(open, text)
  // A record without text only reports the state of the item. A record with another text replaces the text.
  const isOther = more === undefined && text !== ''
  const delta: StreamEvent[] = more ? [{ type: 'block-delta', blockId, text: more }] : []
  const patch: StreamEvent[] = isOther ? [{ type: 'block-patch', blockId, text }] : []
  if (isOther) open.emittedText = text
  if (isLast) items.close(blockId)
  return [...start, ...delta, ...patch, ...(isLast ? [{ type: 'block-end' as const, blockId }] : [])]
}

export function proseDelta(
  items: OpenItems,
  id: string,
  type: string,
  text: string | undefined,
): readonly StreamEvent[] | undefined {
  const kind = kindOf(type)
  if (kind === undefined || typeof text !== 'string' || typeof id !== 'string') return undefined
  const existing = items.get(id)
  const open = existing ?? items.open(id)
  open.emittedText += text
  const start: StreamEvent[] = existing === undefined ? [{ type: 'block-start', blockId: id, ...present(kind) }] : []
  return text === '' ? understood(start) : [...start, { type: 'block-delta', blockId: id, text }]
}
