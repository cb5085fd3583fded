import type { ListedThread } from '@millrace/core/client'
import { useNow } from '@millrace/react'

import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { GridPart } from '../grid-part.tsx'
import { useCommands } from '../keys/keys-context.tsx'
import { NARROW, useMedia } from '../use-drawer.ts'
import { RunRow } from './run-row.tsx'
import { durationOf, linesBetween, linesOf, offsetsOf, type RunLine } from './run-rows.ts'
import type { RunSelection } from './use-selection.ts'
import { scrollerOf, useView } from './use-view.ts'

interface RunTableProps {
  readonly threads: readonly ListedThread[]
  readonly hasMore: boolean
  readonly selection: RunSelection
  readonly onMore: () => void
  readonly onOpen: (thread: ListedThread, isBeside: boolean) => void
  readonly onExport: (threads: readonly ListedThread[]) => void
  readonly onRename: (thread: ListedThread) => void
  readonly onDelete: (threads: readonly ListedThread[]) => void
}

const WIDE = { group: 30, run: 44 }
const NARROW_HEIGHTS = { group: 28, run: 52 }

/** The next page is asked for when the end of the table is this many pixels from the view. */
const AHEAD = 600

const AGES_MS = 15_000

const COLUMNS = ['Run', 'Steps', 'Tools', 'Errors', 'Duration', 'Tokens', 'Cost'] as const

/** The runs as a grid of which only the visible rows are drawn. Arrows move, `x` selects, Enter opens. */
export function RunTable(props: RunTableProps) {
  const { threads, hasMore, selection, onMore } = props
  const now = useNow(AGES_MS)
  const isNarrow = useMedia(NARROW)
  const lines = useMemo(() => linesOf(threads, now), [threads, now])
  const heights = isNarrow ? NARROW_HEIGHTS : WIDE
  const offsets = useMemo(() => offsetsOf(lines, heights), [lines, heights])
  const height = offsets.at(-1) ?? 0
  const body = useRef<HTMLDivElement>(null)
  const [first, behind] = useView(body, (from, to) => linesBetween(offsets, from, to))
  const longest = useMemo(() => Math.max(1, ...threads.map((thread) => durationOf(thread, now) ?? 0)), [threads, now])
  const order = useMemo(() => lines.flatMap((line) => (line.type === 'run' ? [line.thread] : [])), [lines])
  const table = useRef<HTMLDivElement>(null)
  const { active, onFocusRow } = useActiveRow(props, order, lines, offsets, body, table)
  useEffect(() => {
    if (hasMore && height - (offsets[behind] ?? 0) < AHEAD) onMore()
  }, [hasMore, height, offsets, behind, onMore])
  const shown = lines.flatMap((line, index) =>
    (index >= first && index < behind) || idOf(line) === active ? [{ line, index }] : [],
  )
  const allSelected = threads.length > 0 && threads.every(({ id }) => selection.ids.has(id))
  return (
    <GridPart
      ref={table}
      role="grid"
      className="run-table"
      aria-label="Runs"
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : lines.length + 1}
    >
      <GridPart role="row" className="run-line run-head" aria-rowindex={1}>
        <GridPart role="columnheader" className="run-check">
          <input
            type="checkbox"
            aria-label="Select all runs that are shown"
            checked={allSelected}
            onChange={() => (allSelected ? selection.clear() : selection.addAll(threads.map(({ id }) => id)))}
          />
        </GridPart>
        {COLUMNS.map((name) => (
          <GridPart key={name} role="columnheader">
            {name}
          </GridPart>
        ))}
        <GridPart role="columnheader" aria-sort="descending" className="run-sorted">
          Changed <span aria-hidden="true">↓</span>
        </GridPart>
      </GridPart>
      <GridPart ref={body} role="rowgroup" className="run-rows" style={{ height }}>
        {shown.map(({ line, index }) =>
          line.type === 'group' ? (
            <GridPart
              key={line.title}
              role="row"
              aria-rowindex={index + 2}
              className="run-group"
              style={{ top: offsets[index] }}
            >
              <GridPart role="rowheader" aria-colspan={9}>
                {line.title}
              </GridPart>
            </GridPart>
          ) : (
            <RunRow
              key={line.thread.id}
              thread={line.thread}
              top={offsets[index] ?? 0}
              rowIndex={index + 2}
              now={now}
              longest={longest}
              isActive={line.thread.id === active}
              isSelected={selection.ids.has(line.thread.id)}
              onFocus={onFocusRow}
              onSelect={(isRange) => selection.toggle(line.thread.id, isRange ? order.map(({ id }) => id) : [])}
              {...props}
            />
          ),
        )}
      </GridPart>
    </GridPart>
  )
}

const idOf = (line: RunLine) => (line.type === 'run' ? line.thread.id : undefined)

type Keys = Pick<RunTableProps, 'selection' | 'onOpen' | 'onExport' | 'onDelete' | 'threads'>

/** The row that keys act on: it takes the focus, and exists even if it is out of view. */
function useActiveRow(
  { selection, onOpen, onExport, onDelete, threads }: Keys,
  order: readonly ListedThread[],
  lines: readonly RunLine[],
  offsets: readonly number[],
  body: RefObject<HTMLElement | null>,
  table: RefObject<HTMLElement | null>,
) {
  const [chosen, setChosen] = useState<string>()
  const active = order.some(({ id }) => id === chosen) ? chosen : order[0]?.id
  const wantsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    body.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
  })

  function moveTo(position: number): void {
    const next = order[Math.min(Math.max(position, 0), order.length - 1)]
    if (next === undefined) return
    wantsFocus.current = true
    setChosen(next.id)
    const index = lines.findIndex((line) => idOf(line) === next.id)
    reveal(body.current, offsets[index] ?? 0, offsets[index + 1] ?? 0)
  }

  const selected = () => {
    const found = threads.filter(({ id }) => selection.ids.has(id))
    return found.length > 0 ? found : order.filter(({ id }) => id === active)
  }

  const moveBy = (rows: number) => moveTo(order.findIndex(({ id }) => id === active) + rows)
  const activeThread = order.find(({ id }) => id === active)
  useCommands(
    {
      'next-row': () => moveBy(1),
      'previous-row': () => moveBy(-1),
      'next-page': () => moveBy(PAGE),
      'previous-page': () => moveBy(-PAGE),
      'first-row': () => moveTo(0),
      'last-row': () => moveTo(order.length - 1),
      open: () => activeThread !== undefined && onOpen(activeThread, false),
      'open-beside': () => activeThread !== undefined && onOpen(activeThread, true),
      select: () => activeThread !== undefined && selection.toggle(activeThread.id, []),
      'export-rows': () => onExport(selected()),
      'delete-rows': () => onDelete(selected()),
    },
    table,
  )

  return { active, onFocusRow: setChosen }
}

const PAGE = 10

/** Scrolls as little as shows the row, below what stays at the top. */
function reveal(body: HTMLElement | null, top: number, bottom: number): void {
  const scroller = scrollerOf(body)
  if (scroller === undefined || body === null) return
  const frame = scroller.getBoundingClientRect()
  const start = body.getBoundingClientRect().top - frame.top
  const covered = parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0
  if (start + top < covered) scroller.scrollTop += start + top - covered
  else if (start + bottom > frame.height) scroller.scrollTop += start + bottom - frame.height
}
