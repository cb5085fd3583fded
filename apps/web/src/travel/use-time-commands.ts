import { markBeside } from '@millrace/core/travel'
import { type RefObject, useCallback } from 'react'
import { useCommands } from '../keys/keys-context.tsx'
import { SPEEDS, type Speed, type TimeHead } from './time-head.ts'
import { stepBeside, type TimedStep } from './timed-step.ts'
import type { TravelRun } from './travel-run.ts'

interface TimeActs {
  /** To the next step, or the one before; in a run without steps to the next entry. */
  readonly step: (by: 1 | -1) => void
  /** Changes the speed by this many of the possible ones. */
  readonly faster: (by: number) => void
}

/** What moves the head, by keys and by buttons. */
export function useTimeCommands(
  head: TimeHead,
  run: TravelRun,
  steps: readonly TimedStep[],
  box: RefObject<HTMLElement | null>,
): TimeActs {
  const entry = useCallback((by: 1 | -1) => head.go(head.point().seq + by), [head])
  const step = useCallback(
    (by: 1 | -1) => {
      const { seq, length } = head.point()
      const found = stepBeside(steps, seq, by)
      if (steps.length === 0) entry(by)
      else head.go(found?.seq ?? (by === 1 ? length : 1))
    },
    [head, steps, entry],
  )
  const mark = useCallback(
    (by: 1 | -1) => {
      const { seq, length } = head.point()
      head.go(markBeside(run.snapshot().marks, seq, by)?.seq ?? (by === 1 ? length : 1))
    },
    [head, run],
  )
  const faster = useCallback(
    (by: number) => {
      const index = SPEEDS.indexOf(head.snapshot().speed) + by
      head.choose({ speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))] as Speed })
    },
    [head],
  )
  /** An arrow scrolls what has the focus; without a focus, and in the dock, it moves the head. */
  const free = (act: () => void) => () => {
    const { activeElement } = document
    const isFree = activeElement === null || activeElement === document.body || box.current?.contains(activeElement)
    return isFree ? act() : false
  }
  useCommands({
    play: free(head.togglePlay),
    'next-entry': free(() => entry(1)),
    'previous-entry': free(() => entry(-1)),
    'next-time-step': free(() => step(1)),
    'previous-time-step': free(() => step(-1)),
    'next-marker': () => mark(1),
    'previous-marker': () => mark(-1),
    faster: () => faster(1),
    slower: () => faster(-1),
    'first-entry': free(() => head.go(1)),
    'last-entry': free(() => head.go(head.point().length)),
    live: head.toPresent,
  })
  return { step, faster }
}
