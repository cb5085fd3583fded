import type { ChatEvent } from '@millrace/core/fold'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { Announcer } from './announcer.tsx'
import { Boundary } from './boundary.tsx'
import { type SharedViewProps, useSharedContext } from './event-view.tsx'
import { PlainBlock } from './output/output.tsx'
import { usePieceOptions } from './pieces-view.tsx'
import { createTurns, type Turn } from './thread-turns.ts'
import type { TotalsByRun } from './turn-facts.ts'
import { TotalsProvider, TurnFoot } from './turn-foot.tsx'
import { type TurnContent, TurnPieces } from './turn-view.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { ViewContextProvider } from './view-context.ts'

export interface ThreadViewProps extends SharedViewProps, TurnContent {
  readonly events: readonly ChatEvent[]
  /** Runs that have ended. */
  readonly endedRuns?: ReadonlySet<string>
  /** What each run used as a whole, if that is known. */
  readonly totals?: TotalsByRun
  /** False while the thread is being read. Only what finishes after it was loaded is announced. */
  readonly isLoaded?: boolean
  /** Buttons below a turn that has ended: copy, regenerate. */
  readonly renderTurnActions?: ((turn: Turn) => ReactNode) | undefined
}

const NONE: ReadonlySet<string> = new Set()
const NO_TOTALS: TotalsByRun = new Map()

/**
 * A thread, turn by turn. A piece that cannot be drawn is shown as text, and no other is lost. What is off screen
 * costs no layout. The host scrolls.
 */
export function ThreadView(props: ThreadViewProps) {
  const { events, totals = NO_TOTALS, isLoaded = true } = props
  const context = useSharedContext(props)
  const thread = useRef<HTMLDivElement>(null)
  const { onFocus, onBlur } = useKeptFocus(thread)
  return (
    <ViewContextProvider value={context}>
      <TotalsProvider value={totals}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes the focus */}
        <div className="millrace mr-thread" ref={thread} onFocus={onFocus} onBlur={onBlur}>
          <Boundary of={events} fallback={undefined}>
            <Announcer events={events} isLoaded={isLoaded} />
          </Boundary>
          <TurnList {...props} />
        </div>
      </TotalsProvider>
    </ViewContextProvider>
  )
}

function TurnList(props: ThreadViewProps): ReactNode {
  const { events, renderActions, renderAfterRun, renderTurnActions } = props
  const endedRuns = useKeptSet(props.endedRuns)
  const options = usePieceOptions(props)
  const turnsOf = useMemo(() => createTurns(options), [options])
  const allTurns = turnsOf(events)
  return allTurns.map((turn, index) => (
    <Boundary key={turn.id} of={turn} fallback={<PlainBlock text={JSON.stringify(turn.events, null, 2)} />}>
      <TurnView
        turn={turn}
        hasNewer={index < allTurns.length - 1}
        endedRuns={endedRuns}
        renderActions={renderActions}
        renderAfterRun={renderAfterRun}
        renderTurnActions={renderTurnActions}
      />
    </Boundary>
  ))
}

/** The first of several equal sets: hosts make a new one whenever a run changes. */
function useKeptSet(set: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
  const [kept, setKept] = useState(set)
  const isEqual = kept?.size === set?.size && [...(set ?? [])].every((each) => kept?.has(each))
  if (isEqual) return kept
  setKept(set)
  return set
}

interface TurnViewProps extends TurnContent, Pick<ThreadViewProps, 'renderTurnActions'> {
  readonly turn: Turn
  readonly hasNewer: boolean
  readonly endedRuns: ReadonlySet<string> | undefined
}

const TurnView = memo(function TurnView({ renderTurnActions, endedRuns, ...content }: TurnViewProps) {
  const { turn, hasNewer } = content
  return (
    <article className="mr-turn" data-state={isLive(turn) ? 'live' : 'done'}>
      <TurnPieces {...content} endedRuns={endedRuns ?? NONE} />
      {(hasNewer || isOver(turn, endedRuns)) && hasAnswer(turn) && (
        <TurnFoot turn={turn} actions={renderTurnActions?.(turn)} />
      )}
    </article>
  )
})

const isLive = ({ events }: Turn) => events.some(({ state }) => state === 'live')
const hasAnswer = ({ events }: Turn) => events.some(({ role }) => role !== 'user')

/** Between two messages of a run that goes on, none is live. A host that names no ended runs has nothing better. */
function isOver(turn: Turn, endedRuns: ReadonlySet<string> | undefined): boolean {
  return endedRuns === undefined ? !isLive(turn) : endedRuns.has(turn.events.at(-1)?.runId ?? '')
}

/** The events to draw: a live event replaces the stored one of the same id, new events follow. Order is kept. */
export function eventsToDraw(stored: readonly ChatEvent[], live: readonly ChatEvent[]): readonly ChatEvent[] {
  if (live.length === 0) return stored
  const liveById = new Map(live.map((event) => [event.id, event]))
  const storedIds = new Set(stored.map(({ id }) => id))
  return [...stored.map((event) => liveById.get(event.id) ?? event), ...live.filter(({ id }) => !storedIds.has(id))]
}
