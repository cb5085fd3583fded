import type { ChatEvent } from '@millrace/core/fold'
import type { Span, Spans } from '@millrace/core/spans'
import { type ReactNode, useMemo, useState } from 'react'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'
import { ViewSwitch } from '../work/view-switch.tsx'
import { type TimeWindow, ticksOf } from './axis.ts'
import { agentTree, kindTree } from './group-trees.ts'
import { Lanes } from './lanes-view.tsx'
import { Legend } from './legend.tsx'
import { Overview } from './overview.tsx'
import { pathLines, rowsOf, rowsOfSpans, rowsOnPath, spanOfSelection } from './rows.ts'
import { Side } from './side.tsx'
import { SpanGrid } from './span-grid.tsx'
import { familyOf, nodeOfSpan } from './span-tree.ts'
import { stepTree } from './step-tree.ts'
import { Summary } from './summary.tsx'
import { useTimelineKeys } from './use-timeline-keys.ts'

const groupings = { steps: 'Steps', kinds: 'Kinds', agents: 'Agents' } as const

type Grouping = keyof typeof groupings

const trees = { steps: stepTree, kinds: kindTree, agents: agentTree } as const

export interface TimelineViewProps {
  readonly times: Spans
  readonly chatEvents: readonly ChatEvent[]
  /** The entries say when they were made. */
  readonly hasTimes: boolean
  readonly isNarrow: boolean
  readonly runChoice?: ReactNode
  readonly onShow: (span: Span) => void
  readonly onLens: (span: Span) => void
}

const NOTHING: ReadonlySet<string> = new Set()

/** What the time of a run was for. What is selected, and the moment, are those of the thread. */
export function TimelineView(props: TimelineViewProps) {
  const { times, chatEvents, hasTimes, isNarrow, runChoice, onShow, onLens } = props
  const [grouping, setGrouping] = useState<Grouping>('steps')
  const [toggled, setToggled] = useState(NOTHING)
  const [isPathShown, setIsPathShown] = useState(true)
  const [chosen, setChosen] = useState<TimeWindow>()
  const whole = { from: times.startedAt, to: times.endedAt }
  const window = useWindow(chosen, whole)
  const family = useMemo(() => familyOf(times), [times])
  const root = useMemo(() => trees[grouping](family), [family, grouping])
  const rows = useMemo(() => rowsOf(root, toggled), [root, toggled])
  const { current, selected, choose, clear } = useCurrentRow(times, rows)
  const lines = useMemo(() => (hasTimes ? pathLines(times, rows) : undefined), [times, rows, hasTimes])
  const onPath = useMemo(() => rowsOnPath(times, rows), [times, rows])
  const ticks = useMemo(() => ticksOf(window, times.startedAt), [window, times.startedAt])
  const showsPath = isPathShown && hasTimes && lines !== undefined
  // A folded row may hold the selected span.
  const node = selected === undefined ? rows[current]?.node : nodeOfSpan(family, selected)
  const wall = hasTimes ? times.endedAt - times.startedAt : undefined
  const fold = (row: number) => setToggled((before) => flipped(before, rows[row]?.node.id ?? ''))
  const box = useTimelineKeys({
    rows,
    current,
    window,
    whole,
    choose,
    fold,
    onShow,
    onLens,
    onWindow: setChosen,
    onPath: () => setIsPathShown(!isPathShown),
    canZoom: hasTimes,
  })
  return (
    <section className="tl" aria-label="Timeline">
      <div className="tl-top">
        <Summary
          times={times}
          wall={wall}
          runChoice={runChoice}
          tools={
            <>
              {hasTimes && (
                <button
                  type="button"
                  className="mr-button button tl-path-button"
                  aria-pressed={isPathShown}
                  onClick={() => setIsPathShown(!isPathShown)}
                >
                  Critical path
                  <span className="tl-key" aria-hidden="true">
                    c
                  </span>
                </button>
              )}
              <ViewSwitch label="Group by" views={groupings} value={grouping} onChoose={setGrouping} />
            </>
          }
        />
        {hasTimes && <Overview times={times} whole={whole} window={window} onWindow={setChosen} />}
      </div>
      <div className="tl-main">
        <SpanGrid
          rows={rows}
          current={current}
          window={window}
          ticks={ticks}
          wall={wall}
          path={showsPath ? lines : undefined}
          onPath={showsPath ? onPath : undefined}
          rowHeight={isNarrow ? NARROW_ROW : ROW}
          onChoose={choose}
          onFold={fold}
          box={box}
        />
        {hasTimes && <Lanes times={times} window={window} ticks={ticks} />}
        {hasTimes && <Legend times={times} hasPath={showsPath} />}
      </div>
      {(node !== undefined || !isNarrow) && (
        <Side
          node={node ?? root}
          times={times}
          chatEvents={chatEvents}
          hasTimes={hasTimes}
          onShow={onShow}
          onLens={onLens}
          onClose={clear}
        />
      )}
    </section>
  )
}

const ROW = 26
const NARROW_ROW = 32

/** The chosen part of the time. If none was chosen it is the whole, and grows with it. */
function useWindow(chosen: TimeWindow | undefined, whole: TimeWindow): TimeWindow {
  const from = Math.max(whole.from, chosen?.from ?? whole.from)
  const to = Math.min(whole.to, chosen?.to ?? whole.to)
  const isInside = from < to
  const [first, last] = isInside ? [from, to] : [whole.from, whole.to]
  return useMemo(() => ({ from: first, to: last }), [first, last])
}

function flipped(toggled: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(toggled)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The row of the selected piece; a row that stands for several spans, or for the run, is no piece, and is chosen here. */
function useCurrentRow(times: Spans, rows: ReturnType<typeof rowsOf>) {
  const store = usePositionStore()
  const selection = usePositionPart((position) => position.selection)
  const [group, setGroup] = useState<{ readonly id: string; readonly besides: typeof selection }>()
  const selected = useMemo(
    () => (selection?.runId === times.runId ? spanOfSelection(times.spans, selection) : undefined),
    [times, selection],
  )
  const rowOf = useMemo(() => rowsOfSpans(rows), [rows])
  const isGroup = group !== undefined && group.besides === selection
  const current = isGroup
    ? rows.findIndex(({ node }) => node.id === group.id)
    : ((selected && rowOf.get(selected.id)) ?? -1)
  const choose = (row: number) => {
    const node = rows[row]?.node
    if (node === undefined) return
    if (node.span === undefined) {
      setGroup({ id: node.id, besides: selection })
      return
    }
    setGroup(undefined)
    const { seqs, callId } = node.span
    store.select({ runId: times.runId, seqs, ...(callId !== undefined && { callId }) })
  }
  const clear = () => {
    setGroup(undefined)
    store.select(undefined)
  }
  return { current, selected: isGroup ? undefined : selected, choose, clear }
}
