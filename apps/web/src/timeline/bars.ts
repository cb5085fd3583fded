import type { Span } from '@millrace/core/spans'
import { percentAt, type TimeWindow } from './axis.ts'
import { endOf } from './row-times.ts'
import { type Fill, fillsOfPhases, type Tone, toneOf, tonesOfPhases } from './tones.ts'

/** A part of a bar, in percent of the bar. */
interface BarPart {
  readonly share: number
  readonly fill: Fill
  readonly tone: Tone
}

/** A span, or several that cannot be told apart, in percent of the window. */
export interface Bar {
  readonly left: number
  readonly width: number
  readonly parts: readonly BarPart[]
  readonly isLive: boolean
}

/** Spans that are closer than this, in percent, are one bar in a row of many. */
const CLOSE = 0.15
/** Only then is anything joined. */
const MANY = 60

/** The bars of a row, as far as they lie in the window. A holder is pale: what it holds is drawn below it. */
export function barsOf(spans: readonly Span[], window: TimeWindow, isHolder: boolean): readonly Bar[] {
  const bars = spans.flatMap((span) => barOf(span, window, isHolder) ?? [])
  return bars.length < MANY ? bars : joined(bars)
}

function barOf(span: Span, window: TimeWindow, isHolder: boolean): Bar | undefined {
  const [from, to] = [Math.max(window.from, span.startedAt), Math.min(window.to, endOf(span))]
  if (from > to || (from === window.to && from > span.startedAt)) return undefined
  const tone = toneOf(span)
  const length = to - from
  const parts = span.phases.flatMap(({ kind, ...phase }): readonly BarPart[] => {
    const inside = Math.min(to, phase.to) - Math.max(from, phase.from)
    if (inside <= 0 && length > 0) return []
    const fill = isHolder && kind === 'run' ? 'wait' : fillsOfPhases[kind]
    return [{ share: length > 0 ? (inside / length) * 100 : 100, fill, tone: tonesOfPhases[kind] ?? tone }]
  })
  const left = percentAt(window, from)
  return { left, width: percentAt(window, to) - left, parts, isLive: span.endedAt === undefined }
}

function joined(bars: readonly Bar[]): readonly Bar[] {
  const all: Bar[] = []
  for (const bar of bars) {
    const last = all.at(-1)
    const end = last === undefined ? 0 : last.left + last.width
    const isSame = last !== undefined && last.isLive === bar.isLive && toneOfBar(last) === toneOfBar(bar)
    if (last === undefined || !isSame || bar.left - end > CLOSE) {
      all.push(bar)
      continue
    }
    const width = Math.max(end, bar.left + bar.width) - last.left
    all[all.length - 1] = { ...last, width, parts: [{ share: 100, fill: 'work', tone: toneOfBar(bar) }] }
  }
  return all
}

const toneOfBar = ({ parts }: Bar): Tone => parts.at(-1)?.tone ?? 'status'

/** Where the label of a row begins: behind its last bar. Absent: nothing of it lies in the window. */
export function labelLeft(bars: readonly Bar[]): number | undefined {
  return bars.length === 0 ? undefined : Math.max(...bars.map(({ left, width }) => left + width))
}
