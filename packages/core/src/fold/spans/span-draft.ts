import type { UsageCounts } from '../../event-fields.ts'
import { addCounts } from '../../meaning/usage-total.ts'
import type { Mutable } from '../draft.ts'
import type { Phase, PhaseKind, Span, SpanKind, SpanState, Writing } from './span.ts'

type Fields = Mutable<Omit<Span, 'phases' | 'seqs' | 'usage' | 'writes'>>

interface Beginning {
  kind: PhaseKind
  from: number
}

/** A span under construction. Its shape is kept until it changes. */
export interface SpanDraft {
  readonly fields: Fields
  readonly position: number
  /** The agent that made it; undefined: the main agent. */
  readonly maker: string | undefined
  readonly firstSeq: number
  lastSeq: number
  /** The beginnings of its phases, in order. */
  readonly beginnings: Beginning[]
  /** The counts of a model call: those of each step that was counted while it was the current one. */
  readonly counts: Set<{ counts: UsageCounts }>
  readonly writes: Mutable<Writing>[]
  frozen: Span | undefined
}

export function createSpan(
  position: number,
  seq: number,
  at: number,
  phase: PhaseKind,
  maker: string | undefined,
  fields: { readonly kind: SpanKind; readonly name: string } & Partial<
    Pick<Span, 'parent' | 'asked' | 'agentId' | 'callId'>
  >,
): SpanDraft {
  return {
    fields: { ...fields, id: `${fields.kind}-${seq}`, state: 'live', startedAt: at, readyAt: at },
    position,
    maker,
    firstSeq: seq,
    lastSeq: seq,
    beginnings: [{ kind: phase, from: at }],
    counts: new Set(),
    writes: [],
    frozen: undefined,
  }
}

/** From now on the span is in this phase. */
export function enterPhase(draft: SpanDraft, kind: PhaseKind, seq: number, at: number): void {
  if (draft.beginnings.at(-1)?.kind !== kind) draft.beginnings.push({ kind, from: at })
  touchSpan(draft, seq)
}

/** The times of writing are no finer than this, so that their number depends on the time, not on the deltas. */
const WRITING_MS = 200

/** The model has sent so many characters since it sent something last, or since it was asked if they came all at once. */
export function noteWriting(draft: SpanDraft, length: number, at: number): void {
  const { writes, beginnings, fields } = draft
  const last = writes.at(-1)
  if (last !== undefined && at - last.from < WRITING_MS) {
    last.to = Math.max(last.to, at)
    last.length += length
    return
  }
  const since = last?.to ?? beginnings.at(-1)?.from ?? at
  writes.push({ from: since < at ? since : fields.startedAt, to: at, length })
}

/** What the span has done since its phase began was in vain. */
export function failPhase(draft: SpanDraft, seq: number): void {
  const last = draft.beginnings.at(-1)
  if (last !== undefined) last.kind = 'failed'
  touchSpan(draft, seq)
}

/** All that the span has done was in vain. */
export function failWhole(draft: SpanDraft): void {
  draft.beginnings.splice(1)
  failPhase(draft, draft.lastSeq)
  draft.fields.state = 'failed'
}

export function touchSpan(draft: SpanDraft, seq: number): void {
  draft.lastSeq = Math.max(draft.lastSeq, seq)
  draft.frozen = undefined
}

export function endSpan(draft: SpanDraft, state: SpanState, seq: number, at: number): void {
  draft.fields.state = state
  draft.fields.endedAt = Math.max(draft.fields.startedAt, at)
  touchSpan(draft, seq)
}

/** No time of the span is later than this. */
export function limitSpan(draft: SpanDraft, latest: number): void {
  const { fields, beginnings } = draft
  fields.startedAt = Math.min(fields.startedAt, latest)
  fields.readyAt = Math.min(fields.readyAt, latest)
  if (fields.endedAt !== undefined) fields.endedAt = Math.min(fields.endedAt, latest)
  for (const beginning of beginnings) beginning.from = Math.min(beginning.from, latest)
  for (const writing of draft.writes) {
    writing.from = Math.min(writing.from, latest)
    writing.to = Math.min(writing.to, latest)
  }
  draft.frozen = undefined
}

/** The shape of a span, at the time of the last entry. That of an ended span is the same object until it changes. */
export function shapeOfSpan(draft: SpanDraft, now: number): Span {
  const { fields, firstSeq, lastSeq, counts, writes } = draft
  if (draft.frozen !== undefined && fields.endedAt !== undefined) return draft.frozen
  const usage = sumOf(counts)
  draft.frozen = {
    ...fields,
    seqs: [firstSeq, lastSeq],
    phases: phasesOf(draft, fields.endedAt ?? Math.max(fields.startedAt, now)),
    ...(usage !== undefined && { usage }),
    ...(writes.length > 0 && { writes: writes.map((each) => ({ ...each })) }),
  }
  return draft.frozen
}

function phasesOf({ beginnings }: SpanDraft, end: number): readonly Phase[] {
  const phases: Phase[] = []
  for (const [index, { kind, from }] of beginnings.entries()) {
    const to = Math.min(end, beginnings[index + 1]?.from ?? end)
    const isEmpty = to <= from && beginnings.length > 1
    if (!isEmpty) phases.push({ kind, from: Math.min(from, to), to })
  }
  const [first] = beginnings
  if (phases.length === 0 && first !== undefined) phases.push({ kind: first.kind, from: end, to: end })
  return phases
}

function sumOf(counts: SpanDraft['counts']): UsageCounts | undefined {
  let sum: UsageCounts | undefined
  for (const step of counts) sum = addCounts(sum ?? {}, step.counts)
  return sum
}
