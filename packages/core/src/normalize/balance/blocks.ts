import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Emit } from '../pass.ts'
import type { MessageScopes } from './message-scopes.ts'
import { createIds, createRecent } from './recent.ts'

interface OpenBlock {
  /** The emitted id: it differs from the incoming one if that was taken. */
  readonly id: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
  readonly agentId: string | undefined
  readonly messageId: string | undefined
  hasText: boolean
}

export interface Blocks {
  start(event: EventOf<'block-start'>): void
  delta(event: EventOf<'block-delta'>): void
  patch(event: EventOf<'block-patch'>): void
  end(event: EventOf<'block-end'>): void
  closeInMessage(messageId: string): void
  /** Without an id, those of the main agent. */
  closeOfAgent(agentId: string | undefined): void
  closeAll(): void
}

/** Every delta has a start before it and an end after it; no id is opened twice. */
export function createBlocks(emit: Emit, scopes: () => MessageScopes): Blocks {
  const blocks = new Map<string, OpenBlock>()
  const recentBlocks = createRecent<OpenBlock>()
  const ids = createIds()

  function open(event: EventOf<'block-start'>): OpenBlock {
    // A message that begins only after its block still ends it.
    const messageId = scopes().ensure(event) ?? event.messageId
    const scoped = scopes().withMessageId(event)
    const { kind, variant, agentId } = scoped
    const id = ids.claim(event.blockId)
    const block = { id, kind, variant, agentId, messageId, hasText: false }
    blocks.set(event.blockId, block)
    recentBlocks.addNew(id, block)
    emit(id === event.blockId ? scoped : { ...scoped, blockId: id })
    return block
  }

  /** Opens a new block of the same kind for a delta or patch whose block is not open. */
  function reopen(event: EventOf<'block-delta'> | EventOf<'block-patch'>, kind: BlockKind): OpenBlock {
    const before = recentBlocks.get(event.blockId)
    const variant = before?.variant === undefined ? {} : { variant: before.variant }
    const agentId = event.agentId ?? before?.agentId
    const agent = agentId === undefined ? {} : { agentId }
    const message = event.messageId === undefined ? {} : { messageId: event.messageId }
    const sentAt = event.sentAt === undefined ? {} : { sentAt: event.sentAt }
    const { blockId } = event
    return open({
      type: 'block-start',
      blockId,
      kind: before?.kind ?? kind,
      ...variant,
      ...agent,
      ...message,
      ...sentAt,
    })
  }

  function close(key: string, block: OpenBlock, event: Partial<EventOf<'block-end'>>): void {
    blocks.delete(key)
    const agent = block.agentId === undefined ? {} : { agentId: block.agentId }
    emit({ ...agent, ...event, type: 'block-end', blockId: block.id })
  }

  function closeWhere(isAffected: (block: OpenBlock) => boolean, event: Partial<EventOf<'block-end'>>): void {
    for (const [key, block] of blocks) if (isAffected(block)) close(key, block, event)
  }

  return {
    start(event) {
      const before = blocks.get(event.blockId)
      if (before !== undefined) {
        if (before.kind === event.kind && !before.hasText) return
        close(event.blockId, before, {})
      }
      open(event)
    },
    delta(event) {
      if (event.text === '') return
      const block = blocks.get(event.blockId) ?? reopen(event, 'text')
      block.hasText = true
      emit(block.id === event.blockId ? event : { ...event, blockId: block.id })
    },
    patch(event) {
      const isReasoning = event.signature !== undefined || event.encrypted !== undefined
      const existing = blocks.get(event.blockId) ?? recentBlocks.get(event.blockId)
      const block = existing ?? reopen(event, isReasoning ? 'reasoning' : 'text')
      const { text, ...rest } = event
      if (existing !== undefined || text === undefined) {
        emit(block.id === event.blockId ? event : { ...event, blockId: block.id })
        return
      }
      if (text !== '') emit({ type: 'block-delta', blockId: block.id, text })
      if (rest.citations ?? rest.signature ?? rest.encrypted ?? rest.answer ?? rest.meta)
        emit({ ...rest, blockId: block.id })
    },
    end(event) {
      const block = blocks.get(event.blockId)
      if (block === undefined) return
      if (block.id !== event.blockId || block.agentId !== event.agentId) return close(event.blockId, block, event)
      blocks.delete(event.blockId)
      emit(event)
    },
    closeInMessage: (messageId) => closeWhere((block) => block.messageId === messageId, {}),
    closeOfAgent: (agentId) => closeWhere((block) => block.agentId === agentId, {}),
    closeAll: () => closeWhere(() => true, { interrupted: true }),
  }
}
