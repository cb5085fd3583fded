import { present } from '@millrace/core/json'
import { callsInside, type Span, type Spans, usageOf } from '@millrace/core/spans'
import type { IconName } from '../icon.tsx'
import { nameOfSpan, noteOfSpan } from './span-words.ts'
import { glyphOf, type Tone, toneOf } from './tones.ts'

/** A row of the timeline, with the rows inside of it. */
export interface SpanNode {
  readonly id: string
  readonly name: string
  /** What it was about, in a few words; empty if nothing says it. */
  readonly note: string
  readonly glyph: IconName
  readonly tone: Tone
  /** What its row draws. The run has none: it is all of the time. */
  readonly spans: readonly Span[]
  /** Absent: the row stands for several. */
  readonly span?: Span
  readonly usage?: NonNullable<Span['usage']>
  readonly children: readonly SpanNode[]
  /** Its children are shown until a person folds them. */
  readonly isOpenAtFirst: boolean
}

/** The parts of a run's times that several rows look up. */
export interface Family {
  readonly times: Spans
  /** What each span holds, by its id; what lies in no span is at the empty string. */
  readonly inside: ReadonlyMap<string, readonly Span[]>
  /** The calls that each model call asked for. */
  readonly asked: ReadonlyMap<string, readonly Span[]>
  /** The number of each model call among those of its agent. */
  readonly numbers: ReadonlyMap<string, number>
}

export function familyOf(times: Spans): Family {
  const inside = new Map<string, Span[]>()
  const asked = new Map<string, Span[]>()
  const numbers = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const span of times.spans) {
    add(inside, span.parent ?? '', span)
    if (span.asked !== undefined) add(asked, span.asked, span)
    if (span.kind !== 'model') continue
    const agent = span.agentId ?? ''
    const number = (counts.get(agent) ?? 0) + 1
    counts.set(agent, number)
    numbers.set(span.id, number)
  }
  return { times, inside, asked, numbers }
}

function add(groups: Map<string, Span[]>, key: string, span: Span): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [span])
  else group.push(span)
}

/** A span as a row of its own. */
export function nodeOfSpan(family: Family, span: Span, children: readonly SpanNode[] = []): SpanNode {
  const { times, numbers } = family
  const usage = span.kind === 'subagent' ? usageInside(times, span) : span.usage
  return {
    id: span.id,
    name: nameOfSpan(span, numbers.get(span.id)),
    note: noteOfSpan(span),
    glyph: glyphOf(span),
    tone: toneOf(span),
    spans: [span],
    span,
    ...present({ usage }),
    children,
    isOpenAtFirst: true,
  }
}

function usageInside({ spans }: Spans, holder: Span): Span['usage'] {
  const usage = usageOf(callsInside(spans, holder))
  return Object.keys(usage).length === 0 ? undefined : usage
}

interface GroupFields extends Pick<SpanNode, 'id' | 'name' | 'note' | 'glyph' | 'tone'> {
  readonly children: readonly SpanNode[]
  readonly isOpenAtFirst?: boolean
}

/** Several spans as one row, which is folded at first. */
export function groupOf({ children, isOpenAtFirst = false, ...fields }: GroupFields): SpanNode {
  const spans = children.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const usage = usageOf(spans)
  return { ...fields, spans, children, isOpenAtFirst, ...(Object.keys(usage).length > 0 && { usage }) }
}

/** The row of the whole run. */
export function rootOf({ times }: Family, children: readonly SpanNode[]): SpanNode {
  return {
    id: '',
    name: 'Run',
    note: '',
    glyph: 'bolt',
    tone: 'status',
    spans: [],
    children,
    isOpenAtFirst: true,
    ...present({ usage: times.usage }),
  }
}
