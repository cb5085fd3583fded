import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { countText } from '../numbers.ts'
import { ThreadView, type ThreadViewProps } from '../thread-view.tsx'
import { openQuestions } from '../threads/thread-activity.ts'
import { useEffectBeforePaint } from '../use-effect-before-paint.ts'
import { useContextWith, ViewContextProvider } from '../view-context.ts'
import { createThreadWindow } from '../window/thread-window.ts'
import { WindowContext } from '../window/window-context.ts'
import type { EntryAddress } from './entry-location.ts'
import { Tail } from './tail.tsx'
import { createThreadHandle, type ThreadHandle } from './thread-handle.ts'
import { useDeepLink } from './use-deep-link.ts'
import { useFollow } from './use-follow.ts'

export interface ThreadProps extends ThreadViewProps {
  /** The entry to show, as soon as the log has reached it. */
  readonly link?: EntryAddress | undefined
  /** Nothing arrives now, from the server or from the producer: nothing looks live. */
  readonly isStill?: boolean
  /** How many messages were sent from this page: after each, the view scrolls to the end. */
  readonly sendCount?: number
  /** What follows the last message, and scrolls with it. */
  readonly end?: ReactNode
  /** Moves through the pieces: for keys of the host. */
  readonly handle?: Ref<ThreadHandle>
}

/**
 * A thread that scrolls, as high as the box around it. It follows the live end while the reader is there. Of a long thread
 * only what is near the screen is in the page.
 */
export function Thread({ link, isStill = false, sendCount = 0, end, handle, ...props }: ThreadProps) {
  const now = useStillClock(isStill, props.now)
  const view = { ...props, now }
  const { events } = view
  const context = useContextWith(view)
  const { scroller, content, isAway, toEnd, release, isFollowing } = useFollow()
  const [threadWindow] = useState(() => createThreadWindow({ scroller, isFollowing, release }))
  useImperativeHandle(handle, () => createThreadHandle({ scroller, threadWindow, toEnd }), [
    scroller,
    threadWindow,
    toEnd,
  ])
  // After the effects of `useFollow`, whose listener must be called first.
  useEffectBeforePaint(() => threadWindow.connect(), [threadWindow])
  useDeepLink({
    chatEvents: events,
    scroller,
    content,
    threadWindow,
    runId: link?.runId,
    seq: link?.seq,
    onFound: release,
  })
  useEffect(() => {
    if (sendCount > 0) toEnd()
  }, [sendCount, toEnd])
  const pieces = useMemo(() => events.reduce((count, { segments }) => count + segments.length, 0), [events])
  const piecesSeen = useRef(pieces)
  if (!isAway) piecesSeen.current = pieces
  return (
    <ViewContextProvider value={context}>
      <div className={`millrace mr-thread-frame${isStill ? ' mr-thread-still' : ''}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
        <div className="mr-thread-scroll" ref={scroller} tabIndex={0}>
          <div className="mr-thread-inside" ref={content}>
            <WindowContext.Provider value={threadWindow}>
              <ThreadView {...view} />
            </WindowContext.Provider>
            {!isStill && <Tail events={events} endedRuns={view.endedRuns} />}
            {end}
          </div>
        </div>
        {isAway && (
          <LatestPill
            newPieces={pieces - piecesSeen.current}
            isAsked={openQuestions(events).length > 0}
            onClick={toEnd}
          />
        )}
      </div>
    </ViewContextProvider>
  )
}

interface LatestPillProps {
  readonly newPieces: number
  readonly isAsked: boolean
  readonly onClick: () => void
}

/** Scrolls back to the end, and says what is new there. */
function LatestPill({ newPieces, isAsked, onClick }: LatestPillProps) {
  const { labels } = useContextWith({})
  return (
    <button type="button" className={`mr-button mr-pill${isAsked ? ' mr-pill-asks' : ''}`} onClick={onClick}>
      {isAsked && <Icon name="ask" />}
      {isAsked ? labels.approvalWaits : labels.latest}
      {newPieces > 0 && <span className="mr-pill-count">· {countText(newPieces, labels.newPieces, labels)}</span>}
      <Icon name="arrow-down" />
    </button>
  )
}

/** A clock that stands while nothing arrives: a counter that went on would look alive. */
function useStillClock(isStill: boolean, now: () => number = Date.now): () => number {
  return useMemo(() => {
    if (!isStill) return now
    const moment = now()
    return () => moment
  }, [isStill, now])
}
