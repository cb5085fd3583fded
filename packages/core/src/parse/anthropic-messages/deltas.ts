import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { citationEvents, compactionEvent, type OpenBlock } from './blocks.ts'
import type { Block, Delta } from './raw.ts'

/** Returns undefined if the delta does not fit its block. */
type Row<Type extends Delta['type']> = (
  delta: Extract<Delta, { type: Type }>,
  block: OpenBlock,
) => readonly StreamEvent[] | undefined

/** Text and thinking come one event per token: these rows allocate only the event (bench/parse.ts). */
const rows: { readonly [Type in Delta['type']]: Row<Type> } = {
  text_delta({ text }, block) {
    if (block.kind !== 'prose') return undefined
    return text === '' ? SILENT : [{ type: 'block-delta', blockId: block.id, text }]
  },
  thinking_delta({ thinking }, block) {
    if (block.kind !== 'prose') return undefined
    return thinking === '' ? SILENT : [{ type: 'block-delta', blockId: block.id, text: thinking }]
  },
  input_json_delta({ partial_json }, block) {
    if (block.kind !== 'tool' || typeof partial_json !== 'string') return undefined
    if (partial_json === '') return SILENT
    block.isStreamed = true
    return [{ type: 'tool-input-delta', callId: block.id, text: partial_json }]
  },
  signature_delta({ signature }, block) {
    if (block.kind !== 'prose') return undefined
    return signature === '' ? SILENT : [{ type: 'block-patch', blockId: block.id, signature }]
  },
  citations_delta({ citation }, block) {
    if (block.kind !== 'prose') return undefined
    const citations = [...block.citations, citation]
    const events = citationEvents(block.id, citations, block.citations.length)
    block.citations = citations
    return events
  },
  compaction_delta({ type: _, ...fields }, block) {
    if (block.kind !== 'compaction' || Object.keys(fields).length === 0) return undefined
    const data = { ...block.data, ...(present(fields) as JsonObject) }
    block.data = data
    return Object.keys(data).length === 0 ? SILENT : [compactionEvent(block.id, data)]
  },
}

export const deltas = new Map(Object.entries(rows)) as ReadonlyMap<string, Row<Delta['type']>>

/** The block of a delta if the stream was joined after the start of the block. */
export const impliedBlocks: { readonly [type: string]: Block } = {
  text_delta: { type: 'text' },
  thinking_delta: { type: 'thinking' },
}
