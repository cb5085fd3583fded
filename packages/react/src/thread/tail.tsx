import type { ChatEvent, Segment } from '@millrace/core/fold'
import { useRef } from 'react'
import { secondsText } from '../durations.ts'
import { openQuestions } from '../threads/thread-activity.ts'
import { useNow } from '../times.ts'
import { useViewContext } from '../view-context.ts'

interface TailProps {
  readonly events: readonly ChatEvent[]
  readonly endedRuns: ReadonlySet<string> | undefined
}

const SECOND = 1_000

/** Shorter silences are not counted. */
const COUNTED_AFTER = 2 * SECOND

/** Below the last piece, while a run goes on and nothing above moves: what the thread waits for. It keeps its height. */
export function Tail({ events, endedRuns }: TailProps) {
  const { labels, now: clock } = useViewContext()
  useNow(SECOND)
  // In a player time stands still: it waits no longer than it did then.
  const now = clock()
  const last = useRef({ events, at: now })
  if (last.current.events !== events) last.current = { events, at: now }
  const end = events.at(-1)
  const isRunning = end !== undefined && (endedRuns === undefined ? end.state === 'live' : !endedRuns.has(end.runId))
  if (!isRunning || openQuestions(events).length > 0) return undefined
  const silence = now - last.current.at
  return (
    <p className="mr-tail">
      {!end.segments.some(isMoving) && (
        <span className="mr-tail-text">
          <span className="mr-dot" aria-hidden="true" />
          {labels.waitingForModel}
          {silence >= COUNTED_AFTER && <span className="mr-time">{secondsText(silence, labels)}</span>}
        </span>
      )}
    </p>
  )
}

/** Whether the view of a segment shows by itself that it goes on. */
function isMoving(segment: Segment): boolean {
  if (segment.type === 'tool') return segment.endedAt === undefined && segment.state !== 'approval'
  return 'state' in segment && segment.state === 'live'
}
