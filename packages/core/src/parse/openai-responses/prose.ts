import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { joined, SILENT, understood, unmapped } from '../parser.ts'
import { fileOf } from './files.ts'
import { openaiMeta } from './metadata.ts'
import type { Annotation, RawItem, RawPart } from './raw.ts'
import { annotatedSource } from './sources.ts'
import { MAX_HELD, type Part, type Slot } from './state.ts'

/** How a part is shown. The number distinguishes parts of one item with the same index: indexes are counted by kind. */
interface PartKind {
  readonly number: number
  readonly name: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
}

const KINDS = 4

export const TEXT: PartKind = { number: 0, name: 'text', kind: 'text', variant: undefined }
export const REFUSAL: PartKind = { number: 1, name: 'refusal', kind: 'text', variant: 'refusal' }
export const REASONING: PartKind = { number: 2, name: 'reasoning', kind: 'reasoning', variant: 'thinking' }
export const SUMMARY: PartKind = { number: 3, name: 'summary', kind: 'reasoning', variant: 'summary' }

const kinds: ReadonlyMap<string, PartKind> = new Map([
  ['output_text', TEXT],
  ['input_text', TEXT],
  ['text', TEXT],
  ['refusal', REFUSAL],
  ['reasoning_text', REASONING],
  ['summary_text', SUMMARY],
])

/** Parts that are read at their end. */
const HELD: ReadonlySet<string> = new Set(['output_audio', 'audio'])

/** More of a part's text. It is called once per token, so it allocates only the event (bench/rows/parse.ts). */
export function textDelta(slot: Slot, kind: PartKind, index: number, text: string): readonly StreamEvent[] {
  const part = slot.parts.get(index * KINDS + kind.number)
  if (part !== undefined) return [{ type: 'block-delta', blockId: part.blockId, text }]
  if (typeof text !== 'string') throw new TypeError('A delta has no text.')
  if (text === '') return SILENT
  const opened = open(slot, kind, index)
  return [...opened.events, { type: 'block-delta', blockId: opened.part.blockId, text }]
}

/** The start of a part, which is empty in almost every stream: its block opens with its first text. */
export function partStart(slot: Slot, index: number, raw: RawPart): readonly StreamEvent[] {
  const kind = kinds.get(raw.type)
  if (kind === undefined) return HELD.has(raw.type) ? SILENT : []
  return textDelta(slot, kind, index, raw.refusal ?? raw.text ?? '')
}

/** The whole text of a part: `settle` keeps only what was not streamed. An empty text retracts nothing. */
export function wholeText(
  slot: Slot,
  kind: PartKind,
  index: number,
  text: string | null | undefined,
): readonly StreamEvent[] {
  const part = slot.parts.get(index * KINDS + kind.number)
  if (typeof text !== 'string') return []
  if (text === '' || part?.isWhole === true) return SILENT
  if (part !== undefined) {
    part.isWhole = true
    return [{ type: 'block-patch', blockId: part.blockId, text }]
  }
  const opened = open(slot, kind, index)
  opened.part.isWhole = true
  return [...opened.events, { type: 'block-delta', blockId: opened.part.blockId, text }]
}

/** A whole part, with its annotations. */
export function wholePart(slot: Slot, index: number, raw: RawPart): readonly StreamEvent[] {
  const kind = kinds.get(raw.type)
  if (kind === undefined) return typeof raw.transcript === 'string' ? audioEvents(slot, index, raw) : unmapped(raw)
  const textEvents = wholeText(slot, kind, index, raw.refusal ?? raw.text)
  const annotationCount = slot.parts.get(index * KINDS + TEXT.number)?.annotations.length ?? 0
  return joined([
    textEvents,
    addAnnotations(slot, index, (raw.annotations ?? []).slice(annotationCount), annotationCount),
  ])
}

/** Audio is shown as the text of its transcript, once, with the audio as a file. */
function audioEvents(slot: Slot, index: number, { transcript, data, audio, format }: RawPart): readonly StreamEvent[] {
  const text = wholeText(slot, TEXT, index, transcript)
  const sound = data ?? audio
  if (text.length === 0 || typeof sound !== 'string') return text
  return [...text, fileOf(`${slot.key}:audio-${index}`, `audio/${format ?? 'wav'}`, sound)]
}

/** Adds one annotation. */
export function addAnnotation(slot: Slot, index: number, annotation: Annotation): readonly StreamEvent[] {
  const existing = slot.parts.get(index * KINDS + TEXT.number)?.annotations ?? []
  return addAnnotations(slot, index, [annotation], existing.length)
}

/** Annotations of a text: their sources are emitted at once, the list of all of them at the end of the text. */
function addAnnotations(
  slot: Slot,
  index: number,
  more: readonly Annotation[],
  annotationCount: number,
): readonly StreamEvent[] {
  if (more.length === 0) return SILENT
  const before = slot.parts.get(index * KINDS + TEXT.number)
  const { part, events } = before === undefined ? open(slot, TEXT, index) : { part: before, events: [] }
  const sources = more.flatMap((annotation, offset) =>
    annotatedSource(annotation, part.blockId, annotationCount + offset),
  )
  part.annotations.push(...more)
  return understood([...events, ...sources, ...(part.isOpen ? [] : citations(part))])
}

function citations({ blockId, annotations }: Part): StreamEvent[] {
  return annotations.length === 0 ? [] : [{ type: 'block-patch', blockId, citations: annotations.slice() as never }]
}

/** The end of a part. The last part of a reasoning item stays open until its item ends, which may carry its seal. */
export function endPart(slot: Slot, raw: RawPart, index: number): readonly StreamEvent[] {
  const kind = kinds.get(raw.type)
  const part = kind === undefined ? undefined : slot.parts.get(index * KINDS + kind.number)
  return part === undefined || slot.type === 'reasoning' ? SILENT : understood(close(part))
}

export function closeMessage(slot: Slot, { content }: RawItem): readonly StreamEvent[] {
  const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content
  if (parts === null || parts === undefined) return closeParts(slot)
  const events = parts.map((part, index) => wholePart(slot, index, part))
  return joined([...events, understood(closeParts(slot))])
}

/**
 * Reasoning without text is a block too: the provider expects it back. The encrypted content belongs to the last part.
 */
export function closeReasoning(slot: Slot, item: RawItem): readonly StreamEvent[] {
  const { summary, content, encrypted_content: encrypted, signature, format } = item
  const events: StreamEvent[] = [
    ...(summary ?? []).flatMap((part, index) => wholePart(slot, index, part)),
    ...(Array.isArray(content) ? content : []).flatMap((part, index) => wholePart(slot, index, part)),
  ]
  const last = [...slot.parts.values()].at(-1)
  const blockId = last?.blockId ?? `${slot.key}:hidden`
  if (last === undefined) {
    const meta = openaiMeta({ item_id: slot.id })
    events.push({ type: 'block-start', blockId, kind: 'reasoning', variant: 'redacted', ...meta })
  }
  // If ids change, the id that came with the seal belongs to it.
  const seal = present({ encrypted: encrypted || undefined, signature: (signature as string) || undefined })
  const meta = openaiMeta({ item_id: item.id === slot.id ? undefined : (item.id ?? undefined), format: format as Json })
  if (Object.keys(seal).length > 0) events.push({ type: 'block-patch', blockId, ...seal, ...meta })
  if (last === undefined) events.push({ type: 'block-end', blockId })
  return understood([...events, ...closeParts(slot)])
}

export function closeParts(slot: Slot): StreamEvent[] {
  return [...slot.parts.values()].flatMap(close)
}

function close(part: Part): StreamEvent[] {
  if (!part.isOpen) return []
  part.isOpen = false
  return [...citations(part), { type: 'block-end', blockId: part.blockId }]
}

function open(slot: Slot, { number, name, kind, variant }: PartKind, index: number) {
  const blockId = `${slot.key}:${name}-${index}`
  const part: Part = { blockId, annotations: [], isOpen: true, isWhole: false }
  const { phase } = slot.item
  const isFull = slot.parts.size >= MAX_HELD
  const shownVariant = variant ?? (phase === 'commentary' ? 'commentary' : undefined)
  const events: StreamEvent[] = [
    ...(slot.type === 'reasoning' || isFull ? closeParts(slot) : []),
    {
      type: 'block-start',
      blockId,
      kind,
      ...(shownVariant !== undefined && { variant: shownVariant }),
      ...openaiMeta({ item_id: slot.id, phase: phase ?? undefined }),
    },
  ]
  if (isFull) slot.parts.clear()
  slot.parts.set(index * KINDS + number, part)
  return { part, events }
}
