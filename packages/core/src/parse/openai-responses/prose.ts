import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import { fileContent } from '../kit/file.ts'
import { isEmpty } from '../kit/keep.ts'
import { byNames } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import type { Annotation, ItemRef, RawItem, RawPart } from './raw.ts'
import { addAnnotated } from './results.ts'
import {
  addSlot,
  ensureOpen,
  findSlot,
  MAX_HELD,
  openaiMeta,
  type Part,
  type Rows,
  type Run,
  type Slot,
} from './state.ts'

/** How a part is shown. The number distinguishes parts of one item with the same index: indexes are counted by kind. */
interface PartKind {
  readonly number: number
  readonly name: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
  readonly item: 'message' | 'reasoning'
}

const TEXT: PartKind = { number: 0, name: 'text', kind: 'text', variant: undefined, item: 'message' }
const REFUSAL: PartKind = { number: 1, name: 'refusal', kind: 'text', variant: 'refusal', item: 'message' }
const REASONING: PartKind = { number: 2, name: 'reasoning', kind: 'reasoning', variant: 'thinking', item: 'reasoning' }
const SUMMARY: PartKind = { number: 3, name: 'summary', kind: 'reasoning', variant: 'summary', item: 'reasoning' }

const kinds = byNames([
  [TEXT, 'output_text input_text text'],
  [REFUSAL, 'refusal'],
  [REASONING, 'reasoning_text'],
  [SUMMARY, 'summary_text'],
])
const KINDS = 4
const keyOf = (kind: PartKind, index: number) => index * KINDS + kind.number
const indexOf = (kind: PartKind | undefined, { summary_index, content_index }: ItemRef) =>
  (kind === SUMMARY ? summary_index : content_index) ?? 0

/** Readable content: text, refusals, reasoning, and the parts that hold them. */
export const proseRows = {
  'response.content_part.added': startPart,
  'response.content_part.done': endPart,
  'response.reasoning_summary_part.added': startPart,
  'response.reasoning_summary_part.done': endPart,
  'response.output_text.delta': delta(TEXT),
  'response.output_text.done'(out, raw, run) {
    const isRead = whole(TEXT)(out, raw, run)
    const id = `${slotOf(run, raw, 'message').key}:${indexOf(TEXT, raw)}`
    if (raw.logprobs?.length) out.push({ type: 'data', name: 'logprobs', id, data: raw.logprobs })
    return isRead
  },
  'response.output_text.annotation.added': annotate,
  'response.output_text_annotation.added': annotate,
  'response.refusal.delta': delta(REFUSAL),
  'response.refusal.done': whole(REFUSAL),
  'response.reasoning_summary_text.delta': delta(SUMMARY),
  'response.reasoning_summary_text.done': whole(SUMMARY),
  'response.reasoning_summary.delta': delta(SUMMARY),
  'response.reasoning_summary.done': whole(SUMMARY),
  'response.reasoning_text.delta': delta(REASONING),
  'response.reasoning_text.done': whole(REASONING),
  'response.reasoning.delta': delta(REASONING),
  'response.reasoning.done': whole(REASONING),
  /** A transcript names no item: it is text of a separate message. */
  'response.audio.transcript.delta': (out, raw, run) =>
    addText(out, slotOf(run, { item_id: 'transcript' }, 'message'), TEXT, 0, raw.delta),
} satisfies Partial<Rows>

/** The item of an event; an item whose start was missed, or that was never announced, is added. */
function slotOf(run: Run, { item_id, output_index }: ItemRef, type: PartKind['item']): Slot {
  const slot = findSlot(run.response, item_id, output_index)
  if (slot !== undefined && slot.type === type) return slot
  ensureOpen(run)
  return addSlot(run.response, { type, id: item_id ?? null }, output_index)
}

function delta(kind: PartKind) {
  return (out: Out, raw: ItemRef & { readonly delta: string }, run: Run): void =>
    addText(out, slotOf(run, raw, kind.item), kind, indexOf(kind, raw), raw.delta)
}

function whole(kind: PartKind) {
  return (out: Out, raw: ItemRef & Pick<RawPart, 'text' | 'refusal'>, run: Run): boolean =>
    setText(out, slotOf(run, raw, kind.item), kind, indexOf(kind, raw), kind === REFUSAL ? raw.refusal : raw.text)
}

function annotate(out: Out, raw: ItemRef & { readonly annotation: Annotation }, run: Run): void {
  addAnnotations(out, slotOf(run, raw, 'message'), indexOf(TEXT, raw), [raw.annotation])
}

/** More of a part's text. It is called once per token (bench/rows/parse.ts). */
function addText(out: Out, slot: Slot, kind: PartKind, index: number, text: string): void {
  const part = slot.parts.get(keyOf(kind, index))
  if (part === undefined && typeof text !== 'string') throw new TypeError('A delta has no text.')
  if (text !== '') out.push({ type: 'block-delta', blockId: (part ?? openPart(out, slot, kind, index)).blockId, text })
}

/** Parts that are read at their end. */
const HELD: ReadonlySet<string> = new Set(['output_audio', 'audio'])

type PartEvent = ItemRef & { readonly part: RawPart }

/** The start of a part, which is empty in almost every stream: its block opens with its first text. */
function startPart(out: Out, raw: PartEvent, run: Run): boolean {
  const { type, refusal, text } = raw.part
  const kind = kinds.get(type)
  const slot = slotOf(run, raw, kind?.item ?? 'message')
  if (kind !== undefined) addText(out, slot, kind, indexOf(kind, raw), refusal ?? text ?? '')
  return kind !== undefined || HELD.has(type)
}

function endPart(out: Out, raw: PartEvent, run: Run): boolean {
  const kind = kinds.get(raw.part.type)
  const slot = slotOf(run, raw, kind?.item ?? 'message')
  const index = indexOf(kind, raw)
  const isRead = readPart(out, slot, index, raw.part)
  const part = kind && slot.parts.get(keyOf(kind, index))
  // The last part of a reasoning item stays open until its item ends, which may carry its seal.
  if (part !== undefined && slot.type !== 'reasoning') closePart(out, part)
  return isRead
}

/** The whole text of a part: `settle` keeps only what was not streamed. An empty text retracts nothing. */
function setText(out: Out, slot: Slot, kind: PartKind, index: number, text: string | null | undefined): boolean {
  const part = slot.parts.get(keyOf(kind, index))
  if (typeof text !== 'string') return false
  if (text === '' || part?.isOpen === false) return true
  if (part !== undefined) out.push({ type: 'block-patch', blockId: part.blockId, text })
  else out.push({ type: 'block-delta', blockId: openPart(out, slot, kind, index).blockId, text })
  return true
}

/** A whole part, with its annotations. */
function readPart(out: Out, slot: Slot, index: number, raw: RawPart): boolean {
  const kind = kinds.get(raw.type)
  if (kind === undefined && typeof raw.transcript !== 'string') return out.push(...unmapped(raw)) > 0
  const before = out.length
  const text = kind === undefined ? raw.transcript : (raw.refusal ?? raw.text)
  const isRead = setText(out, slot, kind ?? TEXT, index, text)
  const base64 = raw.data ?? raw.audio
  // Audio is shown as the text of its transcript, once, with the audio as a file.
  if (kind === undefined && out.length > before && typeof base64 === 'string') {
    const content = fileContent({ base64 }, `audio/${raw.format ?? 'wav'}`)
    out.push({ type: 'file', fileId: `${slot.key}:audio-${index}`, ...content })
  }
  const addedCount = slot.parts.get(keyOf(TEXT, index))?.annotations.length ?? 0
  addAnnotations(out, slot, index, (raw.annotations ?? []).slice(addedCount))
  return isRead
}

/** Annotations of a text: their sources are emitted at once, the list of all of them at the end of the text. */
function addAnnotations(out: Out, slot: Slot, index: number, more: readonly Annotation[]): void {
  if (more.length === 0) return
  const part = slot.parts.get(keyOf(TEXT, index)) ?? openPart(out, slot, TEXT, index)
  for (const annotation of more) addAnnotated(out, annotation, part.blockId, part.annotations.push(annotation) - 1)
  if (!part.isOpen) addCitations(out, part)
}

function addCitations(out: Out, { blockId, annotations }: Part): void {
  if (annotations.length > 0) out.push({ type: 'block-patch', blockId, citations: annotations.slice() })
}

export function closeMessage(out: Out, _run: Run, slot: Slot, { content }: RawItem): boolean {
  const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content
  let isRead = parts !== null && parts !== undefined
  for (const [index, part] of (parts ?? []).entries()) isRead = readPart(out, slot, index, part) && isRead
  closeParts(out, slot)
  return isRead
}

/**
 * Reasoning without text is a block too: the provider expects it back. The encrypted content belongs to the last part.
 */
export function closeReasoning(out: Out, _run: Run, slot: Slot, item: RawItem): void {
  const { summary, content, encrypted_content, signature, format } = item
  for (const [index, part] of (summary ?? []).entries()) readPart(out, slot, index, part)
  if (Array.isArray(content)) for (const [index, part] of content.entries()) readPart(out, slot, index, part)
  const last = [...slot.parts.values()].at(-1)
  const blockId = last?.blockId ?? `${slot.key}:hidden`
  const start = openaiMeta({ item_id: slot.id })
  if (last === undefined) out.push({ type: 'block-start', blockId, kind: 'reasoning', variant: 'redacted', ...start })
  const seal = present({ encrypted: encrypted_content || undefined, signature: (signature as string) || undefined })
  // If ids change, the id that came with the seal belongs to it.
  const meta = openaiMeta({ item_id: item.id === slot.id ? undefined : item.id, format })
  if (!isEmpty(seal)) out.push({ type: 'block-patch', blockId, ...seal, ...meta })
  if (last === undefined) out.push({ type: 'block-end', blockId })
  closeParts(out, slot)
}

export function closeParts(out: Out, slot: Slot, interrupted = false): void {
  for (const part of slot.parts.values()) closePart(out, part, interrupted)
}

function closePart(out: Out, part: Part, interrupted = false): void {
  if (!part.isOpen) return
  part.isOpen = false
  addCitations(out, part)
  out.push({ type: 'block-end', blockId: part.blockId, ...(interrupted && { interrupted }) })
}

function openPart(out: Out, slot: Slot, { number, name, kind, variant }: PartKind, index: number): Part {
  const { parts, key, item } = slot
  const isFull = parts.size >= MAX_HELD
  if (slot.type === 'reasoning' || isFull) closeParts(out, slot)
  if (isFull) parts.clear()
  const part: Part = { blockId: `${key}:${name}-${index}`, annotations: [], isOpen: true }
  parts.set(index * KINDS + number, part)
  const shown = present({ variant: variant ?? (item.phase === 'commentary' ? 'commentary' : undefined) })
  const meta = openaiMeta({ item_id: slot.id, phase: item.phase })
  out.push({ type: 'block-start', blockId: part.blockId, kind, ...shown, ...meta })
  return part
}
