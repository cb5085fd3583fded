import type { ChatEvent } from '@millrace/core/fold'
import { entryAt, type Mark } from '@millrace/core/travel'
import { useState } from 'react'
import { clockText, seqText } from '../words/numbers.ts'
import type { TimeHead } from './time-head.ts'
import { markText, stepAt, type TimedStep, wordsAt } from './timed-step.ts'
import type { TravelView } from './travel-run.ts'
import { silenceText } from './travel-words.ts'

interface PeekText {
  readonly fraction: number
  readonly what: string
  readonly where: string
}

/** A mark this near to the pointer is meant, as a fraction of the track. */
const NEAR = 0.006
/** No entry this long after the one before is a silence, in ms. */
const SILENT = 2_000

/** What there is below the pointer. */
export function usePeek(
  head: TimeHead,
  view: TravelView,
  steps: readonly TimedStep[],
  chatEvents: readonly ChatEvent[],
): { readonly shown: PeekText | undefined; readonly at: (time: number | undefined) => void } {
  const [shown, setShown] = useState<PeekText>()
  const at = (time: number | undefined) =>
    setShown(time === undefined || view.length === 0 ? undefined : peekAt(time, head, view, steps, chatEvents))
  return { shown, at }
}

function peekAt(
  time: number,
  head: TimeHead,
  view: TravelView,
  steps: readonly TimedStep[],
  chatEvents: readonly ChatEvent[],
): PeekText {
  const axis = head.axis()
  const fraction = axis.fractionOf(time)
  const mark = nearestMark(view.marks, (each) => Math.abs(axis.fractionOf(each.at) - fraction))
  const seq = mark?.seq ?? Math.max(1, entryAt(view.times, time))
  const next = view.times[seq]
  const silence = mark === undefined && next !== undefined ? next - (view.times[seq - 1] ?? next) : 0
  const step = stepAt(steps, seq)
  const what =
    mark !== undefined
      ? markText(mark)
      : silence > SILENT
        ? `Silent for ${silenceText(silence)}`
        : wordsAt(chatEvents, view.runId, seq)
  const where = [clockText((mark?.at ?? time) - axis.from), seqText(seq), ...(step ? [`step ${step.number}`] : [])]
  return { fraction, what, where: where.join(' · ') }
}

function nearestMark(marks: readonly Mark[], distance: (mark: Mark) => number): Mark | undefined {
  let nearest: Mark | undefined
  let least = NEAR
  for (const mark of marks) {
    const away = distance(mark)
    // Of two in one place the one that stands out is meant.
    if (away > least || (away === least && mark.kind === 'tool')) continue
    nearest = mark
    least = away
  }
  return nearest
}

/** As wide as it may be: it stays inside of the track. */
const WIDEST = 260

/** For the pointer only: who moves the head hears and sees what there is. */
export function Peek({ fraction, what, where, width }: PeekText & { readonly width: number }) {
  const half = Math.min(WIDEST, width) / 2
  const left = Math.max(half - 8, Math.min(width - half + 8, fraction * width))
  return (
    <>
      <span className="ghost" style={{ left: fraction * width }} />
      <span className="peek" style={{ left }} aria-hidden="true">
        <span className="mr-cut">{what}</span>
        <small>{where}</small>
      </span>
    </>
  )
}
