import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { BARE, type Prose } from './content-parts.ts'
import { type Block, closeBlock, type EmittedMessage, eventScopeOf } from './emitted-message.ts'
import { citedSource } from './sources.ts'

/** Adds a fragment of prose to its block, or opens a block for it. */
export function addProse(emitted: EmittedMessage, prose: Prose): StreamEvent[] {
  const events: StreamEvent[] = []
  let block = continuedBlock(emitted, prose) ?? emitted.byKey.get(prose.key)
  const hasContent = prose.text !== '' || carriesMore(prose)
  if (!hasContent) return events
  if (block === undefined || (!block.isOpen && prose.text !== '')) block = open(emitted, prose, events)
  if (prose.text !== '') events.push(add(block, prose.text))
  return carriesMore(prose) ? [...events, ...patchEvents(emitted, block, prose)] : events
}

/** The block that bare text continues. Some models send one text partly in blocks and partly without. */
function continuedBlock({ current }: EmittedMessage, { kind, key, variant }: Prose): Block | undefined {
  const isText = kind === 'text' && variant === undefined && current?.kind === 'text' && current.variant === undefined
  return isText && (key === BARE || current.key === BARE) ? current : undefined
}

/** Extends a block to its current text, which is given from the beginning. */
export function extendProse(emitted: EmittedMessage, prose: Prose): StreamEvent[] {
  const block = emitted.byKey.get(prose.key)
  if (block === undefined || prose.text.length < block.length)
    return addProse(emitted, { ...prose, text: block ? '' : prose.text })
  const more = prose.text.slice(block.length)
  const events = more === '' ? [] : [add(block, more)]
  return carriesMore(prose) ? [...events, ...patchEvents(emitted, block, prose)] : events
}

/** Settles a block to its final text, whatever was streamed of it. */
export function settleProse(emitted: EmittedMessage, prose: Prose): StreamEvent[] {
  const block = emitted.byKey.get(prose.key)
  if (block === undefined) return addProse(emitted, prose)
  return [...catchUpOne(emitted, block, prose, true), ...patchEvents(emitted, block, prose)]
}

/**
 * Emits what is missing of prose that is repeated from its beginning. The parts of a kind come in the order of its
 * blocks. If a whole message differs in length from what was streamed, its text replaces the streamed text.
 */
export function catchUp(emitted: EmittedMessage, proses: readonly Prose[], isFinal: boolean): StreamEvent[] {
  return (['text', 'reasoning'] as const).flatMap((kind) => {
    const parts = proses.filter((prose) => prose.kind === kind && (prose.text !== '' || carriesMore(prose)))
    const blocks = emitted.blocks.filter((block) => block.kind === kind)
    if (isFinal && blocks.length > 0 && lengthOf(parts) === lengthOf(blocks)) return []
    if (blocks.length > parts.length) return []
    return parts.flatMap((prose, index) => catchUpOne(emitted, blocks[index], prose, isFinal))
  })
}

function catchUpOne(emitted: EmittedMessage, block: Block | undefined, prose: Prose, isFinal: boolean): StreamEvent[] {
  if (block === undefined) {
    const events: StreamEvent[] = []
    const opened = open(emitted, prose, events)
    if (prose.text !== '') events.push(add(opened, prose.text))
    return [...events, ...patchEvents(emitted, opened, prose)]
  }
  if (prose.text.length === block.length) return []
  const { id: blockId } = block
  if (!isFinal && prose.text.length > block.length) return [add(block, prose.text.slice(block.length))]
  block.length = prose.text.length
  return [{ type: 'block-patch', blockId, text: prose.text, ...present({ agentId: emitted.scope.agentId }) }]
}

function lengthOf(parts: readonly (Prose | Block)[]): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : part.length), 0)
}

function open(emitted: EmittedMessage, prose: Prose, events: StreamEvent[]): Block {
  events.push(...closeBlock(emitted))
  const { scope, messageId, blocks } = emitted
  const idPrefix = scope.agentId === undefined ? messageId : `${messageId}@${scope.agentId}`
  const { kind, key, variant } = prose
  const block: Block = { id: `${idPrefix}:${blocks.length}`, kind, variant, key, length: 0, isOpen: true }
  blocks.push(block)
  emitted.byKey.set(prose.key, block)
  emitted.current = block
  events.push({ type: 'block-start', blockId: block.id, kind, ...present({ variant }), ...eventScopeOf(emitted) })
  return block
}

function add(block: Block, text: string): StreamEvent {
  block.length += text.length
  return { type: 'block-delta', blockId: block.id, text }
}

const carriesMore = ({ signature, encrypted, citations }: Prose) =>
  signature !== undefined || encrypted !== undefined || citations !== undefined

function patchEvents(emitted: EmittedMessage, { id: blockId, kind }: Block, prose: Prose): StreamEvent[] {
  if (!carriesMore(prose)) return []
  const { signature, encrypted, citations } = prose
  const agent = present({ agentId: emitted.scope.agentId })
  // The field `signature` is for reasoning, so the signature of a text is kept as meta.
  const signed = kind === 'reasoning' ? { signature } : { meta: signature && { langchain: { signature } } }
  return [
    { type: 'block-patch', blockId, ...agent, ...present({ ...signed, encrypted, citations }) } as StreamEvent,
    ...(citations ?? []).flatMap((citation, index) => citedSource(emitted, blockId, citation, index)),
  ]
}
