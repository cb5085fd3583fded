import { type Handlers, joined } from '../parser.ts'
import {
  addAnnotation,
  endPart,
  partStart,
  REASONING,
  REFUSAL,
  SUMMARY,
  TEXT,
  textDelta,
  wholePart,
  wholeText,
} from './prose.ts'
import type { Annotation, PartRef, RawEvent } from './raw.ts'
import { addSlot, ensureOpen, findSlot, type Run, type Slot } from './state.ts'

type ProseType = Extract<
  RawEvent['type'],
  | `response.output_text${string}`
  | `response.refusal.${string}`
  | `response.reasoning${string}`
  | `response.content_part.${string}`
  | 'response.audio.transcript.delta'
>

type Rows = Pick<Handlers<RawEvent>, ProseType>

/** Readable content: text, refusals, reasoning, and the parts that hold them. */
export function proseRows(run: Run): Rows {
  /** The item of an event; an item whose start was missed, or that was never announced, is added. */
  function slotOf(ref: PartRef, type: 'message' | 'reasoning'): Slot {
    const slot = findSlot(run.response, ref)
    if (slot !== undefined && slot.type === type) return slot
    ensureOpen(run)
    return addSlot(run.response, { type, id: ref.item_id ?? null }, ref.output_index)
  }

  const messageSlot = (ref: PartRef) => slotOf(ref, 'message')
  const reasoningSlot = (ref: PartRef) => slotOf(ref, 'reasoning')
  const contentIndex = (ref: PartRef) => ref.content_index ?? 0
  const summaryIndex = (ref: PartRef) => ref.summary_index ?? 0
  const partSlot = (ref: PartRef, type: string) => (type === 'reasoning_text' ? reasoningSlot(ref) : messageSlot(ref))

  const annotation = (raw: PartRef & { readonly annotation: Annotation }) =>
    addAnnotation(messageSlot(raw), contentIndex(raw), raw.annotation)
  const summaryDelta = (raw: PartRef & { readonly delta: string }) =>
    textDelta(reasoningSlot(raw), SUMMARY, summaryIndex(raw), raw.delta)
  const summaryDone = (raw: PartRef & { readonly text?: string | null }) =>
    wholeText(reasoningSlot(raw), SUMMARY, summaryIndex(raw), raw.text)
  const reasoningDelta = (raw: PartRef & { readonly delta: string }) =>
    textDelta(reasoningSlot(raw), REASONING, contentIndex(raw), raw.delta)
  const reasoningDone = (raw: PartRef & { readonly text?: string | null }) =>
    wholeText(reasoningSlot(raw), REASONING, contentIndex(raw), raw.text)

  return {
    'response.content_part.added': ({ part, ...ref }) => partStart(partSlot(ref, part.type), contentIndex(ref), part),
    'response.content_part.done'(raw) {
      const slot = partSlot(raw, raw.part.type)
      return joined([wholePart(slot, contentIndex(raw), raw.part), endPart(slot, raw.part, contentIndex(raw))])
    },
    'response.output_text.delta': (raw) => textDelta(messageSlot(raw), TEXT, contentIndex(raw), raw.delta),
    'response.output_text.done'(raw) {
      const slot = messageSlot(raw)
      const { text, logprobs } = raw
      const events = wholeText(slot, TEXT, contentIndex(raw), text)
      if (!logprobs?.length) return events
      return [...events, { type: 'data', name: 'logprobs', id: `${slot.key}:${contentIndex(raw)}`, data: logprobs }]
    },
    'response.output_text.annotation.added': annotation,
    'response.output_text_annotation.added': annotation,
    'response.refusal.delta': (raw) => textDelta(messageSlot(raw), REFUSAL, contentIndex(raw), raw.delta),
    'response.refusal.done': (raw) => wholeText(messageSlot(raw), REFUSAL, contentIndex(raw), raw.refusal),
    'response.reasoning_summary_part.added': ({ part, ...ref }) =>
      partStart(reasoningSlot(ref), summaryIndex(ref), part),
    'response.reasoning_summary_part.done': (raw) => wholePart(reasoningSlot(raw), summaryIndex(raw), raw.part),
    'response.reasoning_summary_text.delta': summaryDelta,
    'response.reasoning_summary_text.done': summaryDone,
    'response.reasoning_summary.delta': summaryDelta,
    'response.reasoning_summary.done': summaryDone,
    'response.reasoning_text.delta': reasoningDelta,
    'response.reasoning_text.done': reasoningDone,
    'response.reasoning.delta': reasoningDelta,
    'response.reasoning.done': reasoningDone,
    /** A transcript names no item: it is text of a separate message. */
    'response.audio.transcript.delta': ({ delta }) => textDelta(messageSlot({ item_id: 'transcript' }), TEXT, 0, delta),
  }
}
