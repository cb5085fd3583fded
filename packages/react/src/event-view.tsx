import type { ChatEvent, ErrorSegment, Segment } from '@millrace/core/fold'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { DisclosureCard } from './disclosure-card.tsx'
import { Icon } from './icon.tsx'
import { MessageFoot } from './message-foot.tsx'
import type { Layout } from './pieces.ts'
import { Pieces } from './pieces-view.tsx'
import { FatalError, Interrupted } from './segments/error.tsx'
import { UserMessage } from './segments/user-message.tsx'
import { createToggles, type Toggles } from './toggles.ts'
import { useDisclosure } from './use-disclosure.ts'
import {
  useContextWith,
  useViewContext,
  type ViewActions,
  type ViewContext,
  ViewContextProvider,
  type ViewSettings,
} from './view-context.ts'

export interface EventViewProps extends ViewActions, ViewSettings {
  /** From a live run or from a store: both are drawn by this component, so both look the same. */
  readonly event: ChatEvent
  /** A newer chat event is below it. */
  readonly hasNewer?: boolean
  /** Its run continues in the next chat event: an error that is last here did not end the run. */
  readonly runGoesOn?: boolean
  /** Its run has ended: nothing that is still open looks live. */
  readonly isOver?: boolean
  readonly layout?: Layout
  readonly hidesThoughts?: boolean
  /** Pass one that outlives the view if views are mounted and unmounted while scrolling. */
  readonly toggles?: Toggles
  /** The clock of running counters: replace it in tests, or if the server's clock differs. */
  readonly now?: () => number
  /** Where the server is mounted, such as `/agents`: stored files are loaded from below it. Default: the root. */
  readonly basePath?: string
  /** Buttons for the message: copy, edit, branch. */
  readonly renderActions?: (event: ChatEvent) => ReactNode
}

/** One chat event, live or stored: the same component, the same HTML. */
export const EventView = memo(function EventView(props: EventViewProps) {
  const { event, isOver = false, now = Date.now, basePath = '', onAnswer, answerOptions, onContinue } = props
  const { labels, components } = useContextWith(props)
  const [localToggles] = useState(createToggles)
  const toggles = props.toggles ?? localToggles
  const context = useMemo<ViewContext>(
    () => ({
      scope: event.id,
      toggles,
      now,
      isOver,
      labels,
      components,
      basePath,
      ...(onAnswer !== undefined && { onAnswer }),
      ...(answerOptions !== undefined && { answerOptions }),
      ...(onContinue !== undefined && { onContinue }),
    }),
    [event.id, toggles, now, isOver, labels, components, basePath, onAnswer, answerOptions, onContinue],
  )
  return (
    <ViewContextProvider value={context}>
      <article className={`millrace mr-event mr-${event.role}`} data-state={event.state}>
        <Content {...props} />
      </article>
    </ViewContextProvider>
  )
})

function Content(props: EventViewProps): ReactNode {
  const { event, renderActions } = props
  if (event.role === 'user') return <UserMessage event={event} actions={renderActions?.(event)} />
  if (event.state === 'retracted') {
    return (
      <Withdrawn event={event}>
        <Answer {...props} />
      </Withdrawn>
    )
  }
  return <Answer {...props} />
}

function Answer(props: EventViewProps) {
  const { event, hasNewer = false, runGoesOn = false, layout = 'arrival', hidesThoughts = false, renderActions } = props
  const fatal = runGoesOn ? undefined : fatalErrorOf(event)
  const segments = useMemo(
    () => (fatal === undefined ? event.segments : event.segments.filter((segment) => segment !== fatal)),
    [event.segments, fatal],
  )
  const isCut = event.state === 'interrupted' && fatal === undefined
  return (
    <>
      <Pieces
        segments={segments}
        hasNewer={hasNewer || fatal !== undefined || isCut}
        layout={layout}
        hidesThoughts={hidesThoughts}
      />
      {fatal !== undefined && <FatalError event={event} segment={fatal} />}
      {isCut && <Interrupted event={event} />}
      <MessageFoot event={event} actions={renderActions?.(event)} />
    </>
  )
}

/** The error that ended a run is last in its last message; an error with anything after it did not end the run. */
function fatalErrorOf({ state, segments }: ChatEvent): ErrorSegment | undefined {
  const last: Segment | undefined = segments.at(-1)
  return state !== 'live' && last?.type === 'error' ? last : undefined
}

/** A retracted message is one line; its content can still be read. */
function Withdrawn({ event, children }: { readonly event: ChatEvent; readonly children: ReactNode }) {
  const { labels } = useViewContext()
  const disclosure = useDisclosure(`withdrawn-${event.seqs[0]}`, false)
  return (
    <DisclosureCard
      className="mr-notice mr-withdrawn"
      disclosure={disclosure}
      icon={<Icon name="retry" className="mr-glyph" />}
      label={<span className="mr-quiet">{labels.messageWithdrawn}</span>}
    >
      <div className="mr-nest">{children}</div>
    </DisclosureCard>
  )
}
