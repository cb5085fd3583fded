import type { Answer, RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { ThreadView } from '@millrace/react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { UnreadLine } from '../records/unread-line.tsx'
import { openQuestions } from '../threads/thread-activity.ts'
import { formatTitle } from '../words/formats.ts'
import { useDeepLink } from './use-deep-link.ts'
import { useFollow } from './use-follow.ts'

interface MessagesProps {
  readonly basePath: string
  readonly chatEvents: readonly ChatEvent[]
  readonly runs: readonly RunInfo[]
  readonly runId: string | undefined
  readonly seq: number | undefined
  /** The thread has been read: what finishes from now on is announced. */
  readonly isLoaded: boolean
  /** Nothing arrives now, from the server or from the producer: nothing looks live. */
  readonly isStill: boolean
  /** How many messages were sent from this page: after each, the view scrolls to the end. */
  readonly sendCount: number
  readonly onAnswer: (approvalId: string, answer: Answer) => Promise<void>
  /** The agent runs a call as a person changes it. */
  readonly canEdit?: boolean
  /** What follows the last run. */
  readonly end?: ReactNode
}

/** A changed input is offered only if the agent says that it runs what was changed. */
const ANSWERS = { canSay: true, canRemember: true } as const
const EDITED_ANSWERS = { ...ANSWERS, canEdit: true } as const

/** The messages of a thread. The view follows the live end while the reader is there. */
export function Messages(props: MessagesProps) {
  const { basePath, chatEvents, runs, runId, seq, isLoaded, isStill, sendCount, onAnswer, canEdit = false, end } = props
  const { scroller, content, isAway, toEnd, release } = useFollow()
  useDeepLink({ chatEvents, scroller, content, runId, seq, onFound: release })
  useEffect(() => {
    if (sendCount > 0) toEnd()
  }, [sendCount, toEnd])
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
            basePath={basePath}
            onAnswer={onAnswer}
            answerOptions={canEdit ? EDITED_ANSWERS : ANSWERS}
          />
          {end}
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

/** Explains why a thread whose run has ended is empty. */
function EmptyThread({ run }: { readonly run: RunInfo }) {
  const count = run.raw?.count ?? 0
  return (
    <div className="empty-thread">
      <h2>{count > 0 ? 'Nothing of this run was understood' : 'This run ended without output'}</h2>
      <p>
        {count > 0
          ? `Its records were read as ${formatTitle(run.format ?? 'unknown')}. They may be of another format; nothing is lost.`
          : 'It sent no message, tool call or status.'}
      </p>
      <UnreadLine run={run} />
    </div>
  )
}

interface LatestPillProps {
  readonly newPieces: number
  readonly isAsked: boolean
  readonly onClick: () => void
}

/** Scrolls back to the end, and says what is new there. */
function LatestPill({ newPieces, isAsked, onClick }: LatestPillProps) {
  return (
    <button type="button" className={`mr-button pill${isAsked ? ' pill-asks' : ''}`} onClick={onClick}>
      {isAsked && <Icon name="ask" />}
      {isAsked ? 'Approval waiting' : 'Latest'}
      {newPieces > 0 && <span className="pill-count">· {newPieces} new</span>}
      <Icon name="arrow-down" />
    </button>
  )
}
