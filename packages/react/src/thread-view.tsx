import type { ChatEvent } from '@millrace/core/fold'
import { memo, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { Announcer } from './announcer.tsx'
import { Boundary } from './boundary.tsx'
import { type SharedViewProps, useSharedContext } from './event-view.tsx'
import { PlainBlock } from './output/output.tsx'
import { usePieceOptions } from './pieces-view.tsx'
import { StoppedRunsProvider } from './segments/error.tsx'
import { createTurns, type Turn } from './thread-turns.ts'
import type { TotalsByRun } from './turn-facts.ts'
import { TotalsProvider, TurnFoot } from './turn-foot.tsx'
import { Space, type TurnContent, TurnPieces } from './turn-view.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { ViewContextProvider } from './view-context.ts'
import { createRows } from './window/rows.ts'
import { useArticles } from './window/use-articles.ts'
import { type ArticlePart, areSameParts } from './window/window-articles.ts'

export interface ThreadViewProps extends SharedViewProps, TurnContent {
  readonly events: readonly ChatEvent[]
  /** Runs that have ended. */
  readonly endedRuns?: ReadonlySet<string>
  /** Runs that the user has stopped: they did not break off by themselves. */
  readonly stoppedRuns?: ReadonlySet<string>
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
 * A thread, turn by turn. A piece that cannot be drawn is shown as text, and no other is lost. The host scrolls, and all
 * of the thread is in the page; what is off screen costs no layout. `Thread` draws only what is near the screen.
 */
export function ThreadView(props: ThreadViewProps) {
  const { events, totals = NO_TOTALS, stoppedRuns = NONE, isLoaded = true } = props
  const context = useSharedContext(props)
  const thread = useRef<HTMLDivElement>(null)
  const { onFocus, onBlur } = useKeptFocus(thread)
  return (
    <ViewContextProvider value={context}>
      <TotalsProvider value={totals}>
        <StoppedRunsProvider value={stoppedRuns}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes the focus */}
          <div className="millrace mr-thread" ref={thread} onFocus={onFocus} onBlur={onBlur}>
            <Boundary of={events} fallback={undefined}>
              <Announcer events={events} isLoaded={isLoaded} />
            </Boundary>
            <TurnList {...props} thread={thread} />
          </div>
        </StoppedRunsProvider>
      </TotalsProvider>
    </ViewContextProvider>
  )
}

interface TurnListProps extends ThreadViewProps {
  readonly thread: RefObject<HTMLElement | null>
}

function TurnList({ thread, ...props }: TurnListProps): ReactNode {
  const { events, renderActions, renderAfterRun, renderTurnActions } = props
  const endedRuns = useKeptSet(props.endedRuns)
  const options = usePieceOptions(props)
  const turnsOf = useMemo(() => createTurns(options), [options])
  const rowsOf = useMemo(createRows, [])
  const allTurns = turnsOf(events)
  const lastTurn = allTurns.at(-1)
  const articles = useArticles(rowsOf(allTurns), thread)
  return articles.map((article, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a space has no identity but its position
    if ('space' in article) return <Space key={`space ${index}`} height={article.space} />
    const { turn, parts } = article
    return (
      <Boundary key={turn.id} of={turn} fallback={<PlainTurn turn={turn} />}>
        <TurnView
          turn={turn}
          parts={parts}
          hasNewer={turn !== lastTurn}
          endedRuns={endedRuns}
          renderActions={renderActions}
          renderAfterRun={renderAfterRun}
          renderTurnActions={renderTurnActions}
        />
      </Boundary>
    )
  })
}

/** A component, so that the text is only made if it is drawn. */
function PlainTurn({ turn }: { readonly turn: Turn }) {
  return <PlainBlock text={JSON.stringify(turn.events, null, 2)} />
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
  readonly parts: readonly ArticlePart[]
  readonly hasNewer: boolean
  readonly endedRuns: ReadonlySet<string> | undefined
}

const TurnView = memo(function TurnView({ renderTurnActions, endedRuns, ...content }: TurnViewProps) {
  const { turn, parts, hasNewer } = content
  const last = parts.at(-1)
  const isEndDrawn = last !== undefined && 'row' in last && last.row.piece === turn.pieces.at(-1)
  return (
    <article className="mr-turn" data-state={isLive(turn) ? 'live' : 'done'}>
      <TurnPieces {...content} endedRuns={endedRuns ?? NONE} />
      {isEndDrawn && (hasNewer || isOver(turn, endedRuns)) && hasAnswer(turn) && (
        <TurnFoot turn={turn} actions={renderTurnActions?.(turn)} />
      )}
    </article>
  )
}, areEqual)

/** The parts of a turn are a new array whenever anything is drawn. */
function areEqual({ parts, ...one }: TurnViewProps, { parts: otherParts, ...other }: TurnViewProps): boolean {
  const names = Object.keys(one) as (keyof typeof one)[]
  return names.every((name) => one[name] === other[name]) && areSameParts(parts, otherParts)
}

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
