import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import type { Span } from '@millrace/core/spans'
import { Icon } from '../icon.tsx'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'
import type { Selection } from '../position/position-store.ts'
import { useMedia } from '../use-drawer.ts'
import { revealPiece } from '../work/link/show-in-chat.ts'
import { TimelineView } from './timeline-view.tsx'
import { useRunTimes } from './use-run-times.ts'
import '../styles/pane-parts.css'
import '../styles/timeline.css'
import '../styles/timeline-overview.css'
import '../styles/timeline-rows.css'
import '../styles/timeline-bars.css'
import '../styles/timeline-side.css'
import '../styles/timeline-narrow.css'

export interface TimelineProps {
  /** What is shown of the thread: at a moment in the past, what there was then. */
  readonly chatEvents: readonly ChatEvent[]
  readonly runs: readonly RunInfo[]
  /** Where the server is mounted; empty at the root. */
  readonly basePath: string
  /** Shows a piece that is not in the page of the chat. */
  readonly onReveal: (piece: Selection) => void
}

/** The timeline of one run of the thread: that of the moment, else that of the selection, else the last one. */
export function Timeline({ chatEvents, runs, basePath, onReveal }: TimelineProps) {
  const at = usePositionPart((position) => position.at)
  const selection = usePositionPart((position) => position.selection)
  const store = usePositionStore()
  const runId = at?.runId ?? selection?.runId ?? runs.at(-1)?.id
  const isNarrow = useMedia('(max-width: 719px)')
  if (runId === undefined) return <p className="pane-empty">The timeline appears with the first run.</p>
  const pieceOf = ({ seqs, callId }: Span) => ({ runId, seqs, ...(callId !== undefined && { callId }) })
  const onShow = (span: Span) => {
    const piece = pieceOf(span)
    store.select(piece)
    store.show('chat')
    if (isNarrow) store.openPane(undefined)
    // After the chat has been drawn. The rows are gone, and with them the focus: the keys of the chat act from now on.
    requestAnimationFrame(() => {
      document.querySelector<HTMLElement>('.mr-thread-scroll')?.focus({ preventScroll: true })
      revealPiece(document, piece, onReveal)
    })
  }
  const onLens = (span: Span) => {
    store.select(pieceOf(span))
    store.openPane('lens')
    store.show('chat')
  }
  return (
    <RunTimeline
      key={runId}
      basePath={basePath}
      runId={runId}
      upTo={at?.seq}
      chatEvents={chatEvents}
      isNarrow={isNarrow}
      runChoice={runs.length > 1 && <RunChoice runs={runs} runId={runId} />}
      onShow={onShow}
      onLens={onLens}
    />
  )
}

interface RunTimelineProps {
  readonly basePath: string
  readonly runId: string
  /** The last entry that is drawn; undefined: all are. */
  readonly upTo: number | undefined
  readonly chatEvents: readonly ChatEvent[]
  readonly isNarrow: boolean
  readonly runChoice: React.ReactNode
  readonly onShow: (span: Span) => void
  readonly onLens: (span: Span) => void
}

function RunTimeline({ basePath, runId, upTo, ...view }: RunTimelineProps) {
  const { times, hasTimes, isRead, hasFailed, retry } = useRunTimes(basePath, runId, upTo)
  if (hasFailed) {
    return (
      <section className="tl-state" aria-label="Timeline">
        <p>The log of this run could not be read. Nothing of it is lost.</p>
        <button type="button" className="mr-button button" onClick={retry}>
          Read it again
        </button>
      </section>
    )
  }
  if (!isRead) {
    return (
      <section className="tl-state" aria-label="Timeline" aria-busy="true">
        <p>Reading the log of the run…</p>
      </section>
    )
  }
  return <TimelineView {...view} times={times} hasTimes={hasTimes} />
}

/** Goes to the run before and after: selecting its first entry is what shows it. */
function RunChoice({ runs, runId }: { readonly runs: readonly RunInfo[]; readonly runId: string }) {
  const store = usePositionStore()
  const index = runs.findIndex(({ id }) => id === runId)
  const go = (to: number) => {
    const run = runs[to]
    if (run === undefined) return
    store.travel(undefined)
    store.select({ runId: run.id, seqs: [1, 1] })
  }
  return (
    <span className="tl-runs">
      <button type="button" aria-label="Run before" disabled={index <= 0} onClick={() => go(index - 1)}>
        <Icon name="left" />
      </button>
      Run {index + 1} of {runs.length}
      <button type="button" aria-label="Run after" disabled={index >= runs.length - 1} onClick={() => go(index + 1)}>
        <Icon name="right" />
      </button>
    </span>
  )
}
