import type { ChatEvent } from '@millrace/core/fold/shapes'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { Announcer } from './announcer.tsx'
import { Boundary } from './boundary.tsx'
import { EventView, type EventViewProps } from './event-view.tsx'
import { PlainBlock } from './markdown/plain-block.tsx'
import { createToggles } from './toggles.ts'
import { useKeptFocus } from './use-kept-focus.ts'

export interface ThreadViewProps extends Omit<EventViewProps, 'event' | 'hasNewer' | 'runGoesOn' | 'isOver'> {
  readonly events: readonly ChatEvent[]
  /** Runs that have ended. */
  readonly endedRuns?: ReadonlySet<string>
  /** False while the thread is being read. Only what comes after it was loaded is announced. */
  readonly isLoaded?: boolean
  /** What stands behind the last message of a run. */
  readonly renderAfterRun?: (runId: string) => ReactNode
}

const NONE: ReadonlySet<string> = new Set()

/** A thread, top to bottom. A message that cannot be drawn is shown as its JSON, and no other is lost. What is off screen costs no layout; the host scrolls. */
export function ThreadView({ events, endedRuns = NONE, isLoaded = true, renderAfterRun, ...shared }: ThreadViewProps) {
  const [ownToggles] = useState(createToggles)
  const toggles = shared.toggles ?? ownToggles
  const thread = useRef<HTMLDivElement>(null)
  const { onFocus, onBlur } = useKeptFocus(thread)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to where the focus goes
    <div className="millrace mr-thread" ref={thread} onFocus={onFocus} onBlur={onBlur}>
      <Boundary of={events} fallback={undefined}>
        <Announcer events={events} isLoaded={isLoaded} />
      </Boundary>
      {events.map((event, index) => (
        <Fragment key={event.id}>
          <Boundary of={event} fallback={<PlainBlock text={JSON.stringify(event, null, 2)} />}>
            <EventView
              {...shared}
              toggles={toggles}
              event={event}
              hasNewer={index < events.length - 1}
              runGoesOn={events[index + 1]?.runId === event.runId}
              isOver={endedRuns.has(event.runId)}
            />
          </Boundary>
          {events[index + 1]?.runId !== event.runId && renderAfterRun?.(event.runId)}
        </Fragment>
      ))}
    </div>
  )
}
