import type { ChatEvent } from '@millrace/core/fold'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { Announcer } from './announcer.tsx'
import { Boundary } from './boundary.tsx'
import { EventView, type EventViewProps } from './event-view.tsx'
import { PlainBlock } from './output/output.tsx'
import { createToggles } from './toggles.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useContextWith, ViewContextProvider } from './view-context.ts'

export interface ThreadViewProps extends Omit<EventViewProps, 'event' | 'hasNewer' | 'runGoesOn' | 'isOver'> {
  readonly events: readonly ChatEvent[]
  /** Runs that have ended. */
  readonly endedRuns?: ReadonlySet<string>
  /** False while the thread is being read. Only what finishes after it was loaded is announced. */
  readonly isLoaded?: boolean
  /** What follows the last message of a run. */
  readonly renderAfterRun?: (runId: string) => ReactNode
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A thread, top to bottom. A message that cannot be drawn is shown as JSON, and no other is lost. What is off screen
 * costs no layout. The host scrolls.
 */
export function ThreadView(props: ThreadViewProps) {
  const {
    events,
    endedRuns = NONE,
    isLoaded = true,
    renderAfterRun,
    labels: _labels,
    components: _components,
    ...shared
  } = props
  const context = useContextWith(props)
  const [localToggles] = useState(createToggles)
  const toggles = shared.toggles ?? localToggles
  const thread = useRef<HTMLDivElement>(null)
  const { onFocus, onBlur } = useKeptFocus(thread)
  return (
    <ViewContextProvider value={context}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes the focus */}
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
    </ViewContextProvider>
  )
}

/** The events to draw: a live event replaces the stored one of the same id, new events follow. Order is kept. */
export function eventsToDraw(stored: readonly ChatEvent[], live: readonly ChatEvent[]): readonly ChatEvent[] {
  if (live.length === 0) return stored
  const liveById = new Map(live.map((event) => [event.id, event]))
  const storedIds = new Set(stored.map(({ id }) => id))
  return [...stored.map((event) => liveById.get(event.id) ?? event), ...live.filter(({ id }) => !storedIds.has(id))]
}
