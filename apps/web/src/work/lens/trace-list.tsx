import type { Entry } from '@millrace/core/events'
import { recordOfEntry, type TraceRow } from '@millrace/core/lens'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../keys/keys-context.tsx'
import { useHeights } from '../terminal/use-heights.ts'
import { topsOf, Windowed } from '../windowed.tsx'
import type { Records } from './record-pages.ts'
import { type TraceItem, traceItems } from './trace-items.ts'
import { TraceLine, TracePair } from './trace-row.tsx'

interface TraceListProps {
  readonly rows: readonly TraceRow[]
  readonly records: Records
  /** The first entry of the piece: times are counted from it. */
  readonly first: Entry | undefined
  /** The entry whose pair is open. */
  readonly current: number | undefined
  readonly onChoose: (entry: number) => void
  readonly onHover: (entry: number | undefined) => void
  readonly onReaderScroll: () => void
}

const ROW = 26
/** The height of an open pair until it was measured. */
const USUAL_PAIR = 96

/** Records and events side by side, those of other pieces grey. */
export function TraceList({ rows, records, first, current, onChoose, onHover, onReaderScroll }: TraceListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const box = useRef<HTMLDivElement>(null)
  const { heights, measure } = useHeights()
  const items = useMemo(() => traceItems(rows, opened, current), [rows, opened, current])
  const isCurrent = (item: TraceItem | undefined) =>
    item?.kind === 'row' && item.row.entry !== undefined && item.row.entry.seq === current
  const at = items.findIndex(isCurrent)
  const tops = useMemo(
    () => topsOf(items.length, (index) => (index === at ? (heights.get(`pair ${current}`) ?? USUAL_PAIR) : ROW)),
    [items, heights, at, current],
  )
  const hadFocus = useRef(false)
  const step = (by: 1 | -1) => {
    const next = nextEntry(items, at, by)
    if (next === undefined) return false
    hadFocus.current = true
    onChoose(next)
    return true
  }
  useCommands({ 'next-row': () => step(1), 'previous-row': () => step(-1) }, box)
  useEffect(() => {
    if (current === undefined || !hadFocus.current) return
    hadFocus.current = false
    box.current?.querySelector<HTMLElement>('.trace-current')?.focus({ preventScroll: true })
  }, [current])
  return (
    <div className="trace-box" ref={box} onPointerLeave={() => onHover(undefined)}>
      <Windowed
        className="trace"
        label="Records and events"
        tops={tops}
        reveal={at === -1 ? undefined : { row: at, key: `${current}` }}
        onReaderScroll={onReaderScroll}
      >
        {(from, to) => (
          <>
            <Wanted records={records} rows={rowsOf(items.slice(from, to))} />
            {items.slice(from, to).map((item) => {
              if (item.kind === 'fold')
                return <Fold key={item.key} item={item} onOpen={() => setOpened(new Set([...opened, item.key]))} />
              const { row } = item
              const number =
                row.record ?? (row.isSame && row.entry !== undefined ? recordOfEntry(row.entry) : undefined)
              const record = number === undefined ? undefined : records.get(number)
              if (isCurrent(item))
                return (
                  <TracePair
                    key={item.key}
                    row={row}
                    record={record}
                    number={number}
                    first={first}
                    onHeight={measure(`pair ${current}`)}
                  />
                )
              return (
                <TraceLine
                  key={item.key}
                  row={row}
                  record={row.record === undefined ? undefined : record}
                  beside={[textOf(records, row.record, -1), textOf(records, row.record, 1)]}
                  first={first}
                  onChoose={() => row.entry !== undefined && onChoose(row.entry.seq)}
                  onHover={() => onHover(row.entry?.seq)}
                />
              )
            })}
          </>
        )}
      </Windowed>
    </div>
  )
}

const textOf = (records: Records, number: number | undefined, step: number) =>
  number === undefined ? undefined : records.get(number + step)?.text

const rowsOf = (items: readonly TraceItem[]) => items.flatMap((item) => (item.kind === 'row' ? [item.row] : []))

/** Reads the records of what is drawn. */
function Wanted({ records, rows }: { readonly records: Records; readonly rows: readonly TraceRow[] }) {
  const numbers = rows.flatMap(({ record, entry, isSame }) =>
    record !== undefined ? [record] : isSame && entry !== undefined ? [entry.rawThrough - 1] : [],
  )
  const key = numbers.join(' ')
  // The numbers are compared by their text.
  useEffect(() => records.want(numbers), [records, key])
  return undefined
}

function Fold({ item, onOpen }: { readonly item: TraceItem & { readonly kind: 'fold' }; readonly onOpen: () => void }) {
  const { count, bytes, isOwn } = item
  const counted = count.toLocaleString('en')
  return (
    <button type="button" className="trace-fold" tabIndex={-1} onClick={onOpen}>
      {isOwn ? `${counted} more deltas, ${(bytes ?? 0).toLocaleString('en')} bytes` : `${counted} rows of other pieces`}
    </button>
  )
}

/** The next entry that is drawn, over folds and records without one. */
function nextEntry(items: readonly TraceItem[], at: number, by: 1 | -1): number | undefined {
  for (let index = at + by; index >= 0 && index < items.length; index += by) {
    const item = items[index]
    if (item?.kind === 'row' && item.row.entry !== undefined) return item.row.entry.seq
  }
  return undefined
}
