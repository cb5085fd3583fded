import { remember } from '../../data/remember.ts'
import type { BlockKind } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Chunk } from '../wire.ts'
import type { EventDraft, Place } from './drafts.ts'
import { besides, pieceWith, type Stream } from './stream.ts'

/** A block, open or ended. */
interface Known {
  readonly place: Place
  readonly id: string
  readonly kind: BlockKind
  readonly startedAt: number | undefined
  /** What its segment holds beside its text. */
  own: JsonObject
}

/** A block that is open. */
interface Block {
  readonly known: Known
  text: string
  /** How much of the text is on the wire. */
  sent: number
}

export interface Blocks {
  readonly rows: Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>
  /** Another segment begins: pieces that name none would now be taken for its own. */
  leave(): void
  /** Writes what is open into an Event that is about to be complete. */
  write(draft: EventDraft): void
}

const TOLD = {
  start: new Set(['blockId', 'kind']),
  whole: new Set(['blockId', 'text']),
} as const

/** A text that is behind is said again once it has grown by this share: its bytes stay within a multiple of its length. */
const GROWN = 1 / 4

/**
 * Text and reasoning. Pieces go on the wire as they are while their segment is the last one, for a piece of text names
 * none. Where another segment has begun since, the segment is said again whole, and not at every piece.
 */
export function createBlocks(stream: Stream): Blocks {
  const { drafts } = stream
  const open = new Map<string, Block>()
  /** Those that have ended too: what a provider wants back may come late. */
  const blocks = new Map<string, Known>()
  let last: Block | undefined
  /** Counts all pieces of reasoning: one that has a number already seen is taken for a repetition. */
  let pieces = 0

  function segmentOf({ id, kind, place: { index }, own, startedAt }: Known, text: string): JsonObject {
    if (kind === 'text') return { type: 'text', id, text, ...own }
    const part = { summary_index: 0, type: 'summary_text', text, sequence_number: ++pieces, is_complete: true }
    const parts = text === '' ? [] : [defined({ ...part, created_at: startedAt })]
    const started = startedAt === undefined ? {} : { started_at: startedAt }
    return { type: 'reasoning', id, output_index: index, sequence_number: pieces, parts, ...started, ...own }
  }

  function start(event: EventOf<'block-start'>): void {
    const { blockId: id, kind, variant, agentId } = event
    const place = drafts.add(drafts.of(event))
    const known: Known = { place, id, kind, startedAt: stream.timeOf(event), own: besides({ agentId, variant }) }
    const block: Block = { known, text: '', sent: 0 }
    open.set(id, block)
    remember(blocks, id, known)
    const segment = segmentOf(known, '')
    drafts.put(place, segment)
    const type = kind === 'text' ? 'text_start' : 'reasoning_start'
    stream.sayEither(event, TOLD.start, place, segment, { type, fields: { item_id: id } })
    if (drafts.isCurrent(place.draft)) last = block
  }

  function delta(event: EventOf<'block-delta'>): void {
    const block = open.get(event.blockId)
    if (block === undefined) return
    block.text += event.text
    if (block === last) {
      block.sent = block.text.length
      stream.emit(pieceOf(event, block.known.kind))
    } else if (event.meta !== undefined || block.text.length - block.sent >= block.sent * GROWN) catchUp(event, block)
  }

  function pieceOf({ blockId, text, sentAt, meta }: EventOf<'block-delta'>, kind: BlockKind): Chunk {
    const piece =
      kind === 'text'
        ? { type: 'token', content: text }
        : {
            type: 'reasoning_summary_text_delta',
            item_id: blockId,
            summary_index: 0,
            sequence_number: ++pieces,
            delta: text,
          }
    return pieceWith(piece, sentAt, meta)
  }

  /** Says the whole of a text that is behind. */
  function catchUp({ sentAt, meta, agentId }: StreamEvent, block: Block): void {
    const { known, text } = block
    const event = { ...defined({ sentAt, meta, agentId }), type: 'block-delta', blockId: known.id, text: '' } as const
    block.sent = text.length
    stream.saySegment(event, TOLD.whole, known.place, segmentOf(known, text))
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, text, citations, signature, encrypted: encrypted_content } = event
    const known = blocks.get(blockId)
    const kept = defined({ citations, signature, encrypted_content })
    if (known !== undefined) known.own = { ...known.own, ...kept }
    if (known !== undefined && text !== undefined) {
      rewrite(event, known, text)
      return
    }
    stream.sayOwn(event)
    if (known !== undefined) drafts.patch(known.place, kept)
  }

  function rewrite(event: EventOf<'block-patch'>, known: Known, text: string): void {
    const block = open.get(known.id)
    if (block !== undefined) {
      block.text = text
      block.sent = text.length
    }
    const segment = segmentOf(known, text)
    drafts.put(known.place, segment)
    stream.saySegment(event, TOLD.whole, known.place, segment)
  }

  function end(event: EventOf<'block-end'>): void {
    const block = open.get(event.blockId)
    if (block === undefined) return
    const { known, text } = block
    if (block.sent < text.length) catchUp(event, block)
    stream.sayOwn(event)
    open.delete(known.id)
    if (last === block) last = undefined
    const endedAt = known.kind === 'reasoning' ? stream.timeOf(event) : undefined
    if (endedAt !== undefined) known.own = { ...known.own, completed_at: endedAt }
    drafts.put(known.place, segmentOf(known, text))
  }

  return {
    rows: { 'block-start': start, 'block-delta': delta, 'block-patch': patch, 'block-end': end },
    leave() {
      last = undefined
    },
    write(draft) {
      for (const { known, text } of open.values()) {
        if (known.place.draft === draft) drafts.put(known.place, segmentOf(known, text))
      }
    },
  }
}
