import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { BARE, type Prose } from './pieces.ts'
import { citedSource } from './sources.ts'
import { type Block, closeBlock, placeOf, type Told } from './told.ts'

/** A fragment of a block: it goes on where its block stopped, or opens one. */
export function sayMore(told: Told, prose: Prose): StreamEvent[] {
  const events: StreamEvent[] = []
  let block = goesOn(told, prose) ?? told.byKey.get(prose.key)
  const says = prose.text !== '' || carriesMore(prose)
  if (!says) return events
  if (block === undefined || (!block.isOpen && prose.text !== '')) block = open(told, prose, events)
  if (prose.text !== '') events.push(add(block, prose.text))
  return carriesMore(prose) ? [...events, ...patchEvents(told, block, prose)] : events
}

/** Some models say one text partly in blocks and partly without. */
function goesOn({ current }: Told, { kind, key, variant }: Prose): Block | undefined {
  const isText = kind === 'text' && variant === undefined && current?.kind === 'text'
  return isText && (key === BARE || current.key === BARE) ? current : undefined
}

/** A block from its beginning to where it stands now. */
export function sayUpTo(told: Told, prose: Prose): StreamEvent[] {
  const block = told.byKey.get(prose.key)
  if (block === undefined || prose.text.length < block.length)
    return sayMore(told, { ...prose, text: block ? '' : prose.text })
  const more = prose.text.slice(block.length)
  const events = more === '' ? [] : [add(block, more)]
  return carriesMore(prose) ? [...events, ...patchEvents(told, block, prose)] : events
}

/** A block as it is in the end, whatever was streamed of it. */
export function sayFinally(told: Told, prose: Prose): StreamEvent[] {
  const block = told.byKey.get(prose.key)
  if (block === undefined) return sayMore(told, prose)
  return [...catchUpOne(told, block, prose, true), ...patchEvents(told, block, prose)]
}

/**
 * Prose that is said again from its beginning. The pieces of a kind come in the order of its blocks: what a block lacks
 * is added. A whole message that was rewritten since it was streamed replaces what it said.
 */
export function catchUp(told: Told, proses: readonly Prose[], isFinal: boolean): StreamEvent[] {
  return (['text', 'reasoning'] as const).flatMap((kind) => {
    const pieces = proses.filter((prose) => prose.kind === kind && (prose.text !== '' || carriesMore(prose)))
    const blocks = told.blocks.filter((block) => block.kind === kind)
    if (isFinal && blocks.length > 0 && lengthOf(pieces) === lengthOf(blocks)) return []
    if (blocks.length > pieces.length) return []
    return pieces.flatMap((prose, place) => catchUpOne(told, blocks[place], prose, isFinal))
  })
}

function catchUpOne(told: Told, block: Block | undefined, prose: Prose, isFinal: boolean): StreamEvent[] {
  if (block === undefined) {
    const events: StreamEvent[] = []
    const opened = open(told, prose, events)
    if (prose.text !== '') events.push(add(opened, prose.text))
    return [...events, ...patchEvents(told, opened, prose)]
  }
  if (prose.text.length === block.length) return []
  const { id: blockId } = block
  if (!isFinal && prose.text.length > block.length) return [add(block, prose.text.slice(block.length))]
  block.length = prose.text.length
  return [{ type: 'block-patch', blockId, text: prose.text, ...present({ agentId: told.scope.agentId }) }]
}

function lengthOf(parts: readonly (Prose | Block)[]): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : part.length), 0)
}

function open(told: Told, prose: Prose, events: StreamEvent[]): Block {
  events.push(...closeBlock(told))
  const { scope, messageId, blocks } = told
  const place = scope.agentId === undefined ? messageId : `${messageId}@${scope.agentId}`
  const { kind, key } = prose
  const block: Block = { id: `${place}:${blocks.length}`, kind, key, length: 0, isOpen: true }
  blocks.push(block)
  told.byKey.set(prose.key, block)
  told.current = block
  const variant = present({ variant: prose.variant })
  events.push({ type: 'block-start', blockId: block.id, kind: prose.kind, ...variant, ...placeOf(told) })
  return block
}

function add(block: Block, text: string): StreamEvent {
  block.length += text.length
  return { type: 'block-delta', blockId: block.id, text }
}

const carriesMore = ({ signature, encrypted, citations }: Prose) =>
  signature !== undefined || encrypted !== undefined || citations !== undefined

function patchEvents(told: Told, { id: blockId, kind }: Block, prose: Prose): StreamEvent[] {
  if (!carriesMore(prose)) return []
  const { signature, encrypted, citations } = prose
  const agent = present({ agentId: told.scope.agentId })
  // A signature of text belongs to whoever signed it: the field of that name is for reasoning.
  const signed = kind === 'reasoning' ? { signature } : { meta: signature && { langchain: { signature } } }
  return [
    { type: 'block-patch', blockId, ...agent, ...present({ ...signed, encrypted, citations }) } as StreamEvent,
    ...(citations ?? []).flatMap((citation, place) => citedSource(told, blockId, citation, place)),
  ]
}
