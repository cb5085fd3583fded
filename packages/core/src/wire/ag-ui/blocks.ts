import { rememberOne } from '../../data/remember.ts'
import type { BlockKind, Meta, StructuredAnswer } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, defined, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { customChunk, metadataOf, scopeOf, timestampOf } from './chunk.ts'
import type { CallParents, Messages } from './messages.ts'
import type { Stream } from './stream.ts'

export type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

interface OpenBlock {
  readonly id: string
  readonly kind: BlockKind
  readonly delta: string
  readonly extra: Fields
  meta: Meta | undefined
  citations: readonly Json[] | undefined
  answer: StructuredAnswer | undefined
  /** Whether its end has metadata that its start did not have. */
  hasMore: boolean
}

/** Every block is one message. A block of a message that the client has is not in the map, so its deltas are skipped. */
export function blockRows(stream: Stream, messages: Messages, parents: CallParents): BlockRows {
  const { emit, idOf, pauses } = stream
  const blocks = new Map<string, OpenBlock>()
  /** Blocks of messages that the client has: their patches are skipped too. */
  const skippedIds = new Set<string>()

  function start(event: EventOf<'block-start'>): void {
    const role = messages.roleOf(event)
    if (role === undefined) {
      rememberOne(skippedIds, event.blockId)
      return
    }
    const { blockId, kind, variant, agentId, meta } = event
    const id = idOf(blockId)
    const extra = { variant, messageId: messages.messageOf(event) }
    const delta = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
    blocks.set(blockId, { id, kind, delta, extra, meta, citations: undefined, answer: undefined, hasMore: false })
    pauses.open()
    const fields = { ...scopeOf(event), messageId: id, metadata: metadataOf(extra, meta) }
    if (kind === 'text') {
      parents.announce(agentId, id)
      emit(chunkOf('TEXT_MESSAGE_START', { ...fields, role }))
      return
    }
    parents.endGroup(agentId)
    emit(chunkOf('REASONING_START', { ...scopeOf(event), messageId: id }))
    emit(chunkOf('REASONING_MESSAGE_START', { ...fields, role: 'reasoning' }))
  }

  function delta({ blockId, text, sentAt, meta }: EventOf<'block-delta'>): void {
    const block = blocks.get(blockId)
    if (block === undefined) return
    if (meta !== undefined) addMeta(block, meta)
    if (sentAt === undefined) emit({ type: block.delta, messageId: block.id, delta: text })
    else emit(chunkOf(block.delta, { messageId: block.id, delta: text, timestamp: timestampOf(sentAt) }))
  }

  function addMeta(block: OpenBlock, meta: Meta | undefined): void {
    block.meta = mergeMeta(block.meta, meta)
    block.hasMore = true
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, signature, encrypted, citations, answer, meta } = event
    if (skippedIds.has(blockId)) return
    const entityId = idOf(blockId)
    const value = { ...scopeOf(event), subtype: 'message', entityId }
    const metadata = metadataOf({ is: 'signature' }, undefined)
    if (signature !== undefined) {
      emit(chunkOf('REASONING_ENCRYPTED_VALUE', { ...value, encryptedValue: signature, metadata }))
    }
    if (encrypted !== undefined) emit(chunkOf('REASONING_ENCRYPTED_VALUE', { ...value, encryptedValue: encrypted }))
    if (citations === undefined && answer === undefined && meta === undefined) return
    const block = blocks.get(blockId)
    if (block === undefined) emit(customChunk(event, defined({ blockId: entityId, citations, answer })))
    else {
      addMeta(block, meta)
      block.citations = citations ?? block.citations
      block.answer = answer ?? block.answer
    }
  }

  function end(event: EventOf<'block-end'>): void {
    const block = blocks.get(event.blockId)
    if (block === undefined) return
    blocks.delete(event.blockId)
    pauses.close()
    const { id, kind, citations, answer } = block
    const { interrupted, meta } = event
    const hasMore = block.hasMore || interrupted !== undefined || meta !== undefined
    const extra = { ...block.extra, citations, answer, interrupted }
    const metadata = hasMore ? metadataOf(extra, mergeMeta(block.meta, meta)) : undefined
    const timestamp = timestampOf(event.sentAt)
    emit(
      chunkOf(kind === 'text' ? 'TEXT_MESSAGE_END' : 'REASONING_MESSAGE_END', { messageId: id, timestamp, metadata }),
    )
    if (kind === 'reasoning') emit(chunkOf('REASONING_END', { messageId: id, timestamp }))
  }

  return { 'block-start': start, 'block-delta': delta, 'block-patch': patch, 'block-end': end }
}
