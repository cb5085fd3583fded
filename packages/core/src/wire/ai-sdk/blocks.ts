import { rememberOne } from '../../data/remember.ts'
import type { BlockKind, Meta, StructuredAnswer } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { dataPart, isCitation, providerMetadata } from './chunk.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'
import { createSubagentPart, type SubagentPart } from './subagent-part.ts'

export type BlockRows = Pick<Rows, 'block-start' | 'block-delta' | 'block-patch' | 'block-end'>

interface OpenBlock {
  readonly kind: BlockKind
  readonly delta: 'text-delta' | 'reasoning-delta'
  /** The part of a subagent's block. */
  readonly part: SubagentPart | undefined
  extra: Fields
  meta: Meta | undefined
  citations: readonly Json[] | undefined
  answer: StructuredAnswer | undefined
}

/**
 * Blocks as text and reasoning parts, those of subagents as data parts. A block that is not drawn is not in the map, so its
 * deltas are skipped.
 */
export function blockRows({ emit, emitDelta, pauses, partId }: Response, { isDrawn }: Messages): BlockRows {
  const blocks = new Map<string, OpenBlock>()
  /** Blocks that are not drawn: a late patch of one of them is skipped too. */
  const skippedIds = new Set<string>()

  function start(event: EventOf<'block-start'>): void {
    if (!isDrawn(event)) {
      rememberOne(skippedIds, event.blockId)
      return
    }
    const { blockId, kind, variant, agentId, meta } = event
    const extra = { variant }
    const part = agentId === undefined ? undefined : createSubagentPart(partId(blockId), kind, agentId)
    blocks.set(blockId, { kind, delta: `${kind}-delta`, part, extra, meta, citations: undefined, answer: undefined })
    pauses.open()
    const fields = { providerMetadata: providerMetadata(extra, meta) }
    emit(part?.start(fields) ?? chunkOf(`${kind}-start`, { id: blockId, ...fields }))
  }

  function patch(event: EventOf<'block-patch'>): void {
    const { blockId, signature, encrypted, citations, answer, meta } = event
    const block = blocks.get(blockId)
    if (block === undefined) {
      if (!skippedIds.has(blockId) && (signature ?? encrypted ?? citations ?? answer)) {
        emit(dataPart('block-patch', undefined, { blockId, signature, encrypted, citations, answer }, event))
      }
      return
    }
    if (signature !== undefined) block.extra = { ...block.extra, signature }
    if (encrypted !== undefined) block.extra = { ...block.extra, encrypted }
    if (citations !== undefined) block.citations = citations
    if (answer !== undefined) block.answer = answer
    block.meta = mergeMeta(block.meta, meta)
  }

  function end(event: EventOf<'block-end'>): void {
    const block = blocks.get(event.blockId)
    if (block === undefined) return
    blocks.delete(event.blockId)
    pauses.close()
    const { kind, citations, part, answer } = block
    const hasCitations = kind === 'text' && citations?.every(isCitation) === true
    const extra = {
      ...block.extra,
      citations: hasCitations ? undefined : citations,
      answer,
      interrupted: event.interrupted,
    }
    const metadata = providerMetadata(extra, mergeMeta(block.meta, event.meta))
    const fields = { citations: hasCitations ? citations : undefined, providerMetadata: metadata }
    emit(part?.end(fields) ?? chunkOf(`${kind}-end`, { id: event.blockId, ...fields }))
  }

  return {
    'block-start': start,
    'block-delta'({ blockId, text, meta }) {
      const block = blocks.get(blockId)
      if (block === undefined) return
      if (meta !== undefined) block.meta = mergeMeta(block.meta, meta)
      if (block.part === undefined) emitDelta({ type: block.delta, id: blockId, delta: text })
      else emit(block.part.add(text))
    },
    'block-patch': patch,
    'block-end': end,
  }
}
