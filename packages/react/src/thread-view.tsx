import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useState } from 'react'
import { Announcer } from './announcer.tsx'
import { EventView, type EventViewProps } from './event-view.tsx'
import { createToggles } from './toggles.ts'

export interface ThreadViewProps extends Omit<EventViewProps, 'event' | 'hasNewer' | 'runGoesOn' | 'isOver'> {
  readonly events: readonly ChatEvent[]
  /** Runs that have ended. */
  readonly endedRuns?: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** A thread, top to bottom. What is off screen costs no layout; the host scrolls. */
export function ThreadView({ events, endedRuns = NONE, ...shared }: ThreadViewProps) {
  const [ownToggles] = useState(createToggles)
  const toggles = shared.toggles ?? ownToggles
  return (
    <div className="millrace mr-thread">
      <Announcer events={events} />
      {events.map((event, index) => (
        <EventView
          key={event.id}
          {...shared}
          toggles={toggles}
          event={event}
          hasNewer={index < events.length - 1}
          runGoesOn={events[index + 1]?.runId === event.runId}
          isOver={endedRuns.has(event.runId)}
        />
      ))}
    </div>
  )
}
