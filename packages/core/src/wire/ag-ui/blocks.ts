import type { BlockKind, Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, defined, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { custom, metadataOf, placeOf, timestampOf } from './chunk.ts'
import type { Parents } from './parents.ts'
import type { Speakers } from './speakers.ts'
import type { Stream } from './stream.ts'

export type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

interface OpenBlock {
  readonly id: string
  readonly kind: BlockKind
  readonly delta: string
  readonly own: Fields
  meta: Meta | undefined
  citations: readonly Json[] | undefined
  /** Whether its end has more to say than its start did. */
  hasMore: boolean
}

/** A block is a message of its own. One that is not said is not in the map, and neither are its deltas. */
export function blockRows(stream: Stream, speakers: Speakers, parents: Parents): BlockRows {
  const { emit, idOf, pauses } = stream
  const blocks = new Map<string, OpenBlock>()

  function start(event: EventOf<'block-start'>): void {
    const role = speakers.roleOf(event)
    if (role === undefined) return
    const { blockId, kind, variant, agentId, meta } = event
    const id = idOf(blockId)
    const own = { variant, messageId: speakers.messageOf(event) }
    const delta = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
    blocks.set(blockId, { id, kind, delta, own, meta, citations: undefined, hasMore: false })
    pauses.open()
    const fields = { ...placeOf(event), messageId: id, metadata: metadataOf(own, meta) }
    if (kind === 'text') {
      parents.announce(agentId, id)
      emit(chunkOf('TEXT_MESSAGE_START', { ...fields, role }))
      return
    }
    parents.part(agentId)
    emit(chunkOf('REASONING_START', { ...placeOf(event), messageId: id }))
    emit(chunkOf('REASONING_MESSAGE_START', { ...fields, role: 'reasoning' }))
  }

  function delta({ blockId, text, sentAt, meta }: EventOf<'block-delta'>): void {
    const block = blocks.get(blockId)
    if (block === undefined) return
    if (meta !== undefined) note(block, meta)
    if (sentAt === undefined) emit({ type: block.delta, messageId: block.id, delta: text })
    else emit(chunkOf(block.delta, { messageId: block.id, delta: text, timestamp: timestampOf(sentAt) }))
  }

  function note(block: OpenBlock, meta: Meta | undefined): void {
    block.meta = mergeMeta(block.meta, meta)
    block.hasMore = true
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, signature, encrypted, citations, meta } = event
    const entityId = idOf(blockId)
    const value = { ...placeOf(event), subtype: 'message', entityId }
    const metadata = metadataOf({ is: 'signature' }, undefined)
    if (signature !== undefined) {
      emit(chunkOf('REASONING_ENCRYPTED_VALUE', { ...value, encryptedValue: signature, metadata }))
    }
    if (encrypted !== undefined) emit(chunkOf('REASONING_ENCRYPTED_VALUE', { ...value, encryptedValue: encrypted }))
    if (citations === undefined && meta === undefined) return
    const block = blocks.get(blockId)
    if (block === undefined) emit(custom(event, defined({ blockId: entityId, citations })))
    else {
      note(block, meta)
      block.citations = citations ?? block.citations
    }
  }

  function end(event: EventOf<'block-end'>): void {
    const block = blocks.get(event.blockId)
    if (block === undefined) return
    blocks.delete(event.blockId)
    pauses.close()
    const { id, kind, citations } = block
    const { interrupted, meta } = event
    const hasMore = block.hasMore || interrupted !== undefined || meta !== undefined
    const own = { ...block.own, citations, interrupted }
    const metadata = hasMore ? metadataOf(own, mergeMeta(block.meta, meta)) : undefined
    const timestamp = timestampOf(event.sentAt)
    emit(
      chunkOf(kind === 'text' ? 'TEXT_MESSAGE_END' : 'REASONING_MESSAGE_END', { messageId: id, timestamp, metadata }),
    )
    if (kind === 'reasoning') emit(chunkOf('REASONING_END', { messageId: id, timestamp }))
  }

  return { 'block-start': start, 'block-delta': delta, 'block-patch': patch, 'block-end': end }
}
