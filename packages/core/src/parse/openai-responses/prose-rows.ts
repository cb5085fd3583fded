import { type Handlers, joined } from '../parser.ts'
import { annotate, begun, endPart, REASONING, REFUSAL, SUMMARY, said, TEXT, whole, wholePart } from './prose.ts'
import type { Annotation, PartPlace, RawEvent } from './raw.ts'
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

/** What a person reads: text, refusals, reasoning, and the parts that they stand in. */
export function proseRows(run: Run): Rows {
  /** The item of an event; one that was joined after its start, or never announced, is taken to be there. */
  function slotOf(place: PartPlace, type: 'message' | 'reasoning'): Slot {
    const slot = findSlot(run.response, place)
    if (slot !== undefined && slot.type === type) return slot
    ensureOpen(run)
    return addSlot(run.response, { type, id: place.item_id ?? null }, place.output_index)
  }

  const message = (place: PartPlace) => slotOf(place, 'message')
  const reasoning = (place: PartPlace) => slotOf(place, 'reasoning')
  const contentOf = (place: PartPlace) => place.content_index ?? 0
  const summaryOf = (place: PartPlace) => place.summary_index ?? 0
  const partSlot = (place: PartPlace, type: string) => (type === 'reasoning_text' ? reasoning(place) : message(place))

  const annotation = (raw: PartPlace & { readonly annotation: Annotation }) =>
    annotate(message(raw), contentOf(raw), raw.annotation)
  const summaryDelta = (raw: PartPlace & { readonly delta: string }) =>
    said(reasoning(raw), SUMMARY, summaryOf(raw), raw.delta)
  const summaryDone = (raw: PartPlace & { readonly text?: string | null }) =>
    whole(reasoning(raw), SUMMARY, summaryOf(raw), raw.text)
  const reasoningDelta = (raw: PartPlace & { readonly delta: string }) =>
    said(reasoning(raw), REASONING, contentOf(raw), raw.delta)
  const reasoningDone = (raw: PartPlace & { readonly text?: string | null }) =>
    whole(reasoning(raw), REASONING, contentOf(raw), raw.text)

  return {
    'response.content_part.added': ({ part, ...place }) => begun(partSlot(place, part.type), contentOf(place), part),
    'response.content_part.done'(raw) {
      const slot = partSlot(raw, raw.part.type)
      return joined([wholePart(slot, contentOf(raw), raw.part), endPart(slot, raw.part, contentOf(raw))])
    },
    'response.output_text.delta': (raw) => said(message(raw), TEXT, contentOf(raw), raw.delta),
    'response.output_text.done'(raw) {
      const slot = message(raw)
      const { text, logprobs } = raw
      const events = whole(slot, TEXT, contentOf(raw), text)
      if (!logprobs?.length) return events
      return [...events, { type: 'data', name: 'logprobs', id: `${slot.key}:${contentOf(raw)}`, data: logprobs }]
    },
    'response.output_text.annotation.added': annotation,
    'response.output_text_annotation.added': annotation,
    'response.refusal.delta': (raw) => said(message(raw), REFUSAL, contentOf(raw), raw.delta),
    'response.refusal.done': (raw) => whole(message(raw), REFUSAL, contentOf(raw), raw.refusal),
    'response.reasoning_summary_part.added': ({ part, ...place }) => begun(reasoning(place), summaryOf(place), part),
    'response.reasoning_summary_part.done': (raw) => wholePart(reasoning(raw), summaryOf(raw), raw.part),
    'response.reasoning_summary_text.delta': summaryDelta,
    'response.reasoning_summary_text.done': summaryDone,
    'response.reasoning_summary.delta': summaryDelta,
    'response.reasoning_summary.done': summaryDone,
    'response.reasoning_text.delta': reasoningDelta,
    'response.reasoning_text.done': reasoningDone,
    'response.reasoning.delta': reasoningDelta,
    'response.reasoning.done': reasoningDone,
    /** What is spoken says no item: it is text of a message of its own. */
    'response.audio.transcript.delta': ({ delta }) => said(message({ item_id: 'transcript' }), TEXT, 0, delta),
  }
}
