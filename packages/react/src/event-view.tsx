import type { ChatEvent } from '@millrace/core/fold'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Layout } from './pieces.ts'
import { usePieceOptions } from './pieces-view.tsx'
import { createTurnOf, type Turn } from './thread-turns.ts'
import { createToggles, type Toggles } from './toggles.ts'
import { TurnFoot } from './turn-foot.tsx'
import { TurnPieces } from './turn-view.tsx'
import {
  useContextWith,
  type ViewActions,
  type ViewContext,
  ViewContextProvider,
  type ViewSettings,
} from './view-context.ts'

/** What the views of one message and of a thread share. */
export interface SharedViewProps extends ViewActions, ViewSettings {
  readonly layout?: Layout
  readonly hidesThoughts?: boolean
  /** Pass one that outlives the view if views are mounted and unmounted while scrolling. */
  readonly toggles?: Toggles
  /** The clock of running counters: replace it in tests, or if the server's clock differs. */
  readonly now?: () => number
  /** Calls the listener when `now` has jumped, as in a player: running counters show the new time at once. */
  readonly onJump?: (listener: () => void) => () => void
  /** Where the server is mounted, such as `/agents`: stored files are loaded from below it. Default: the root. */
  readonly basePath?: string
}

export interface EventViewProps extends SharedViewProps {
  /** From a live run or from a store: both are drawn by this component, so both look the same. */
  readonly event: ChatEvent
  /** A newer chat event is below it. */
  readonly hasNewer?: boolean
  /** Its run continues in the next chat event: an error that is last here did not end the run. */
  readonly runGoesOn?: boolean
  /** Its run has ended: nothing that is still open looks live. */
  readonly isOver?: boolean
  /** Buttons for the message: copy, edit, branch. */
  readonly renderActions?: (event: ChatEvent) => ReactNode
}

const NONE: ReadonlySet<string> = new Set()

/** One chat event, live or stored: the same component, the same HTML. */
export const EventView = memo(function EventView(props: EventViewProps) {
  const { event } = props
  return (
    <ViewContextProvider value={useSharedContext(props)}>
      <article className={`millrace mr-turn mr-event mr-${event.role}`} data-state={event.state}>
        <Content {...props} />
      </article>
    </ViewContextProvider>
  )
})

function Content(props: EventViewProps): ReactNode {
  const { event, hasNewer = false, runGoesOn = false, isOver = false, renderActions } = props
  const options = usePieceOptions(props)
  const turnOf = useMemo(() => createTurnOf(options), [options])
  const before = useRef<Turn>(undefined)
  const turn = turnOf([event], { continuesRun: false, runGoesOn }, before.current)
  before.current = turn
  const endedRuns = useMemo(() => (isOver ? new Set([event.runId]) : NONE), [isOver, event.runId])
  const hasFoot = event.role !== 'user' && event.state !== 'live'
  return (
    <>
      <TurnPieces turn={turn} hasNewer={hasNewer} endedRuns={endedRuns} renderActions={renderActions} />
      {hasFoot && <TurnFoot turn={turn} actions={renderActions?.(event)} />}
    </>
  )
}

/** The context of the views of a message or a thread: the host's settings and actions, and no run yet. */
export function useSharedContext(props: SharedViewProps): ViewContext {
  const { now = Date.now, onJump, basePath = '', onAnswer, answerOptions, onContinue } = props
  const outer = useContextWith(props)
  const [localToggles] = useState(createToggles)
  const toggles = props.toggles ?? localToggles
  return useMemo(
    () => ({
      scope: '',
      toggles,
      now,
      isOver: false,
      labels: outer.labels,
      components: outer.components,
      basePath,
      ...(onJump !== undefined && { onJump }),
      ...(onAnswer !== undefined && { onAnswer }),
      ...(answerOptions !== undefined && { answerOptions }),
      ...(onContinue !== undefined && { onContinue }),
    }),
    [outer, toggles, now, onJump, basePath, onAnswer, answerOptions, onContinue],
  )
}
