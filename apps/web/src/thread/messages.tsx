import type { Answer, RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { ThreadView } from '@millrace/react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { UnreadLine } from '../records/unread-line.tsx'
import { openQuestions } from '../threads/asking.ts'
import { EmptyThread } from './empty-thread.tsx'
import { LatestPill } from './latest-pill.tsx'
import { useDeepLink } from './use-deep-link.ts'
import { useFollow } from './use-follow.ts'

interface MessagesProps {
  readonly chatEvents: readonly ChatEvent[]
  readonly runs: readonly RunInfo[]
  readonly runId: string | undefined
  readonly seq: number | undefined
  /** The thread has been read: what comes from now on is announced. */
  readonly isLoaded: boolean
  /** Nothing comes for now, from the server or from the producer: nothing looks alive. */
  readonly isStill: boolean
  /** How many messages were sent from here: who sends one wants to see the answer. */
  readonly sends: number
  readonly onAnswer: (approvalId: string, answer: Answer) => Promise<void>
  readonly onContinue?: () => void
}

/** The thread itself. It follows the live end while the reader is there. */
export function Messages(props: MessagesProps) {
  const { chatEvents, runs, runId, seq, isLoaded, isStill, sends, onAnswer, onContinue } = props
  const { scroller, content, isAway, toEnd, release } = useFollow()
  useDeepLink({ chatEvents, scroller, content, runId, seq, onFound: release })
  useEffect(() => {
    if (sends > 0) toEnd()
  }, [sends, toEnd])
  const pieces = useMemo(() => chatEvents.reduce((count, { segments }) => count + segments.length, 0), [chatEvents])
  const piecesSeen = useRef(pieces)
  const endedRuns = useMemo(() => new Set(runs.filter(({ state }) => state === 'ended').map(({ id }) => id)), [runs])
  const unreadOf = useCallback((id: string) => <UnreadLine run={runs.find((run) => run.id === id)} />, [runs])
  const last = runs.at(-1)
  if (!isAway) piecesSeen.current = pieces
  return (
    <div className={`messages${isStill ? ' messages-still' : ''}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <div className="messages-scroll" ref={scroller} tabIndex={0}>
        <div className="measure" ref={content}>
          <ThreadView
            events={chatEvents}
            endedRuns={endedRuns}
            isLoaded={isLoaded}
            renderAfterRun={unreadOf}
            onAnswer={onAnswer}
            {...(onContinue !== undefined && { onContinue })}
          />
          {isLoaded && chatEvents.length === 0 && last?.state === 'ended' && <EmptyThread run={last} />}
        </div>
      </div>
      {isAway && (
        <LatestPill
          newPieces={pieces - piecesSeen.current}
          isAsked={openQuestions(chatEvents).length > 0}
          onClick={toEnd}
        />
      )}
    </div>
  )
}
