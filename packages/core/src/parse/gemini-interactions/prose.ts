import { present } from '../../data/present.ts'
import type { BlockKind } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { keep } from '../gemini/meta.ts'
import { utf16Offsets } from '../gemini/offsets.ts'
import type { Annotation } from './raw.ts'

/** The text of one step. A block begins with the first text, and again after a file. */
export interface Prose {
  add(text: string): StreamEvent[]
  sign(signature: string): StreamEvent[]
  annotate(annotations: readonly Annotation[]): StreamEvent[]
  close(): StreamEvent[]
}

interface Block {
  readonly blockId: string
  text: string
  isOpen: boolean
  citations: readonly JsonObject[]
}

/** The most text that is held for citations, in characters, so that an endless stream does not exhaust memory. */
const MAX_HELD = 4 * 1024 * 1024

export function createProse(kind: BlockKind, prefix: string, messageId: string): Prose {
  let block: Block | undefined
  let blocks = 0
  let sources = 0

  /** Begins a block. Adds its start to the events. */
  function open(events: StreamEvent[]): Block {
    block = { blockId: blocks === 0 ? prefix : `${prefix}.${blocks}`, text: '', isOpen: true, citations: [] }
    blocks += 1
    const variant = kind === 'reasoning' ? { variant: 'thinking' as const } : {}
    events.push({ type: 'block-start', blockId: block.blockId, messageId, kind, ...variant })
    return block
  }

  return {
    add(text) {
      if (text === '') return []
      const events: StreamEvent[] = []
      const target = block?.isOpen ? block : open(events)
      if (kind === 'text' && target.text.length < MAX_HELD) target.text += text
      events.push({ type: 'block-delta', blockId: target.blockId, text })
      return events
    },
    sign(signature) {
      if (signature === '') return []
      const events: StreamEvent[] = []
      const { blockId } = block ?? open(events)
      const signed = kind === 'reasoning' ? { signature } : keep({ thoughtSignature: signature })
      return [...events, { type: 'block-patch', blockId, ...signed }]
    },
    annotate(annotations) {
      if (annotations.length === 0) return []
      const events: StreamEvent[] = []
      const target = block ?? open(events)
      const { blockId, text } = target
      target.citations = [...target.citations, ...citationsOf(annotations, text)]
      const cited = annotations.flatMap((annotation) => sourceOf(annotation, `${prefix}:source-${++sources}`, blockId))
      return [...events, { type: 'block-patch', blockId, citations: target.citations }, ...cited]
    },
    close() {
      if (!block?.isOpen) return []
      block.isOpen = false
      return [{ type: 'block-end', blockId: block.blockId }]
    },
  }
}

function citationsOf(annotations: readonly Annotation[], text: string): JsonObject[] {
  const byteOffsets = annotations.flatMap(({ start_index, end_index }) => [start_index ?? 0, end_index ?? 0])
  const offsets = utf16Offsets(text, byteOffsets)
  return annotations.map(({ start_index, end_index, ...fields }) => {
    const [startIndex, endIndex] = [offsets.get(start_index ?? 0), offsets.get(end_index ?? 0)]
    const isLocated = startIndex !== undefined && endIndex !== undefined && endIndex > startIndex
    const quote = isLocated ? { startIndex, endIndex, text: text.slice(startIndex, endIndex) } : {}
    return present({ ...fields, ...quote }) as JsonObject
  })
}

function sourceOf(annotation: Annotation, sourceId: string, blockId: string): StreamEvent[] {
  const { type, url, document_uri, title, name, file_name, source } = annotation
  // In the first releases `source` is the address itself.
  const isAddress = /^https?:/i.test(source ?? '')
  const address = url ?? document_uri ?? (isAddress ? source : undefined)
  const sourceTitle = title ?? name ?? file_name
  if (!address && !sourceTitle && !source) return []
  return [
    {
      type: 'source',
      sourceId,
      kind: type === 'file_citation' || !address ? 'document' : 'url',
      blockId,
      ...present({ url: address, title: sourceTitle, snippet: isAddress ? undefined : source }),
    },
  ]
}
