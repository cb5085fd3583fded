import { remember } from '../../data/remember.ts'
import type { BlockKind } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { defined, underMillrace } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Chunk } from '../wire.ts'
import type { EventDraft, SegmentSlot } from './drafts.ts'
import { deltaWith, type Stream } from './stream.ts'

/** A block, open or ended. */
interface BlockRecord {
  readonly slot: SegmentSlot
  readonly id: string
  readonly kind: BlockKind
  readonly startedAt: number | undefined
  /** The fields of its segment besides its text. */
  fields: JsonObject
}

/** A block that is open. */
interface OpenBlock {
  readonly record: BlockRecord
  text: string
  /** How much of the text is on the wire. */
  sent: number
}

export interface Blocks {
  readonly rows: Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>
  /** Another segment begins: from now on, clients would add deltas without an id to that segment. */
  stopDeltas(): void
  /** Writes the open blocks of an Event that is about to be complete into its draft. */
  writeOpen(draft: EventDraft): void
}

const CARRIED = {
  start: new Set(['blockId', 'kind']),
  whole: new Set(['blockId', 'text']),
} as const

/** A text without deltas is sent again once it has grown by this share, so its bytes stay proportional to its length. */
const GROWTH = 1 / 4

/**
 * Text and reasoning. Deltas are sent while their segment is the last one, because a delta of text has no id. Once
 * another segment has begun, the whole segment is sent again, but not for every delta.
 */
export function createBlocks(stream: Stream): Blocks {
  const { drafts } = stream
  const open = new Map<string, OpenBlock>()
  /** Open and ended blocks: a signature may come after the end of its block. */
  const records = new Map<string, BlockRecord>()
  let last: OpenBlock | undefined
  /** How many deltas of reasoning were sent. Clients take a delta with a repeated number for a repetition. */
  let reasoningDeltas = 0

  function segmentOf({ id, kind, slot: { index }, fields, startedAt }: BlockRecord, text: string): JsonObject {
    if (kind === 'text') return { type: 'text', id, text, ...fields }
    const part = { summary_index: 0, type: 'summary_text', text, sequence_number: ++reasoningDeltas, is_complete: true }
    const parts = text === '' ? [] : [defined({ ...part, created_at: startedAt })]
    const started = startedAt === undefined ? {} : { started_at: startedAt }
    return {
      type: 'reasoning',
      id,
      output_index: index,
      sequence_number: reasoningDeltas,
      parts,
      ...started,
      ...fields,
    }
  }

  function start(event: EventOf<'block-start'>): void {
    const { blockId: id, kind, variant, agentId } = event
    const slot = drafts.add(drafts.of(event))
    const record: BlockRecord = {
      slot,
      id,
      kind,
      startedAt: stream.timeOf(event),
      fields: underMillrace({ agentId, variant }),
    }
    const block: OpenBlock = { record, text: '', sent: 0 }
    open.set(id, block)
    remember(records, id, record)
    const segment = segmentOf(record, '')
    drafts.put(slot, segment)
    const type = kind === 'text' ? 'text_start' : 'reasoning_start'
    stream.emitEither(event, CARRIED.start, slot, segment, { type, fields: { item_id: id } })
    if (drafts.isCurrent(slot.draft)) last = block
  }

  function delta(event: EventOf<'block-delta'>): void {
    const block = open.get(event.blockId)
    if (block === undefined) return
    block.text += event.text
    if (block === last) {
      block.sent = block.text.length
      stream.emit(deltaOf(event, block.record.kind))
    } else if (event.meta !== undefined || block.text.length - block.sent >= block.sent * GROWTH) catchUp(event, block)
  }

  function deltaOf({ blockId, text, sentAt, meta }: EventOf<'block-delta'>, kind: BlockKind): Chunk {
    const chunk =
      kind === 'text'
        ? { type: 'token', content: text }
        : {
            type: 'reasoning_summary_text_delta',
            item_id: blockId,
            summary_index: 0,
            sequence_number: ++reasoningDeltas,
            delta: text,
          }
    return deltaWith(chunk, sentAt, meta)
  }

  /** Emits the whole text of a block that gets no deltas. */
  function catchUp({ sentAt, meta, agentId }: StreamEvent, block: OpenBlock): void {
    const { record, text } = block
    const event = { ...defined({ sentAt, meta, agentId }), type: 'block-delta', blockId: record.id, text: '' } as const
    block.sent = text.length
    stream.emitSegment(event, CARRIED.whole, record.slot, segmentOf(record, text))
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, text, citations, signature, encrypted: encrypted_content } = event
    const record = records.get(blockId)
    const patched = defined({ citations, signature, encrypted_content })
    if (record !== undefined) record.fields = { ...record.fields, ...patched }
    if (record !== undefined && text !== undefined) {
      rewrite(event, record, text)
      return
    }
    stream.emitMillrace(event)
    if (record !== undefined) drafts.patch(record.slot, patched)
  }

  function rewrite(event: EventOf<'block-patch'>, record: BlockRecord, text: string): void {
    const block = open.get(record.id)
    if (block !== undefined) {
      // What was not sent yet is shown before it is replaced.
      const { meta: _ofTheNewText, ...scope } = event
      if (block.sent < block.text.length) catchUp(scope, block)
      block.text = text
      block.sent = text.length
    }
    const segment = segmentOf(record, text)
    drafts.put(record.slot, segment)
    stream.emitSegment(event, CARRIED.whole, record.slot, segment)
  }

  function end(event: EventOf<'block-end'>): void {
    const block = open.get(event.blockId)
    if (block === undefined) return
    const { record, text } = block
    if (block.sent < text.length) catchUp(event, block)
    stream.emitMillrace(event)
    open.delete(record.id)
    if (last === block) last = undefined
    const endedAt = record.kind === 'reasoning' ? stream.timeOf(event) : undefined
    if (endedAt !== undefined) record.fields = { ...record.fields, completed_at: endedAt }
    drafts.put(record.slot, segmentOf(record, text))
  }

  return {
    rows: { 'block-start': start, 'block-delta': delta, 'block-patch': patch, 'block-end': end },
    stopDeltas() {
      last = undefined
    },
    writeOpen(draft) {
      for (const { record, text } of open.values()) {
        if (record.slot.draft === draft) drafts.put(record.slot, segmentOf(record, text))
      }
    },
  }
}
