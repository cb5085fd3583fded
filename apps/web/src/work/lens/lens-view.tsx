import type { RunInfo } from '@millrace/core/client'
import type { Entry } from '@millrace/core/events'
import { type PieceEntries, recordsOfEntries, type TraceSums, traceOf, traceSums } from '@millrace/core/lens'
import { type ReactNode, useMemo, useState } from 'react'
import { Icon } from '../../icon.tsx'
import type { Arrival } from './hops.ts'
import { isTraced, LensChain, type Station } from './lens-chain.tsx'
import { LensFoot } from './lens-foot.tsx'
import { type LensSubject, titleOfPiece } from './lens-subject.ts'
import { LensWires } from './lens-wires.tsx'
import { pieceWires } from './piece-wires.ts'
import type { Records } from './record-pages.ts'
import { SegmentJson } from './segment-json.tsx'
import { mainEntry } from './trace-items.ts'
import { TraceList } from './trace-list.tsx'

export interface LensViewProps {
  readonly subject: LensSubject
  /** Those of the run from the first on, as far as they are here. */
  readonly entries: readonly Entry[]
  readonly links: PieceEntries
  readonly records: Records
  readonly run: RunInfo
  readonly turn?: number | undefined
  readonly step?: number | undefined
  readonly station?: Station
  readonly arrivalOf: (seq: number) => Arrival | undefined
  readonly onEntry: (seq: number, isByReader: boolean) => void
  readonly onHover: (seq: number | undefined) => void
  readonly onReaderScroll: () => void
  /** Absent: there is no piece in that direction. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onCopyLink: (entry: number | undefined) => Promise<void>
  readonly onSave: (records: readonly number[]) => Promise<void>
}

/** Rows of other pieces before and after those of the piece. */
const [BEFORE, AFTER] = [1, 2]

/** One piece, from the records that came in to the chunks that went out. */
export function LensView(props: LensViewProps) {
  const { subject, entries, links, records, run, arrivalOf, onEntry, onHover, onReaderScroll } = props
  const [station, setStation] = useState<Station>(props.station ?? 'events')
  const { piece, chat } = subject
  const made = useOwnEntries(subject, entries, links)
  const { own, sums, rows } = made
  const current = subject.entry ?? mainEntry(entries, own)
  const wires = useMemo(() => pieceWires(entries, own, chat?.role), [entries, own, chat?.role])
  const facts = {
    sums,
    seqs: piece?.seqs ?? ([own[0] ?? 0, own.at(-1) ?? 0] as const),
    piece,
    wires: wires.length,
    lossy: wires.filter(({ losses }) => losses.length > 0).length,
  }
  const numbers = useMemo(() => recordsOfEntries(own.flatMap((seq) => entries[seq - 1] ?? [])), [entries, own])
  const entry = current === undefined ? undefined : entries[current - 1]
  return (
    <div className="lens">
      <Crumbs {...props} sums={sums} />
      <LensChain facts={facts} station={station} onChoose={setStation} />
      <div className="lens-panel" role="tabpanel" id="lens-panel" aria-labelledby={`station-${station}`}>
        {isTraced(station) && (
          <div className="trace-pane" data-shown={station}>
            <div className="trace-head" aria-hidden="true">
              <span className="trace-head-raw">Raw, as sent · starts that lines share are cut</span>
              <span className="trace-head-events">Events, as logged</span>
              <span>Δ</span>
            </div>
            {records.failure() !== undefined && <p role="alert">The records could not be read. {records.failure()}</p>}
            <TraceList
              key={`${run.id} ${own[0]}`}
              rows={rows}
              records={records}
              first={entries[(own[0] ?? 0) - 1]}
              current={current}
              onChoose={(seq) => onEntry(seq, true)}
              onHover={onHover}
              onReaderScroll={onReaderScroll}
            />
          </div>
        )}
        {station === 'segment' &&
          (piece === undefined ? (
            <p className="pane-empty">This entry is drawn nowhere.</p>
          ) : (
            <SegmentJson key={piece.seqs[0]} piece={piece} />
          ))}
        {station === 'wires' && <LensWires wires={wires} entries={entries} own={own} run={run} />}
      </div>
      <LensFoot
        entry={entry}
        arrival={current === undefined ? undefined : arrivalOf(current)}
        onCopyLink={() => props.onCopyLink(current)}
        onSave={numbers.length === 0 ? undefined : () => props.onSave(numbers)}
      />
    </div>
  )
}

/** The entries of what is looked at, what became of their records, and the rows of the trace. */
function useOwnEntries({ piece, entry }: LensSubject, entries: readonly Entry[], links: PieceEntries) {
  // One list that grows: its length says when there is more of the piece.
  const reach = Math.min(entries.length, (piece?.seqs[1] ?? entry ?? 0) + AFTER)
  // The entries and the links grow together, as `reach` says.
  return useMemo(() => {
    const ofPiece = piece === undefined ? [] : links.entriesOf(piece).filter((seq) => seq <= piece.seqs[1])
    const own = piece === undefined && entry !== undefined && entry <= entries.length ? [entry] : ofPiece
    const [first = 1, last = 0] = [own[0], own.at(-1)]
    const range = [Math.max(1, first - BEFORE), Math.min(entries.length, last + AFTER)] as const
    return { own, sums: traceSums(entries, own), rows: traceOf(entries, range, new Set(own)) }
  }, [piece, entry, links, reach])
}

/** Where the piece stands in the thread, whether all of it is accounted for, and the ways to its neighbours. */
function Crumbs(props: LensViewProps & { readonly sums: TraceSums }) {
  const { subject, turn, step, sums, onPrevious, onNext } = props
  const { name, argument } =
    subject.piece === undefined ? { name: 'Not understood', argument: undefined } : titleOfPiece(subject.piece)
  return (
    <div className="crumbs">
      {turn !== undefined && <Crumb className="crumb-turn">Turn {turn}</Crumb>}
      {step !== undefined && <Crumb className="crumb-step">Step {step}</Crumb>}
      <b>{name}</b>
      {argument !== undefined && <code className="mr-cut">{argument}</code>}
      <Accounted sums={sums} />
      <span className="crumbs-nav">
        <button
          type="button"
          className="icon-button"
          aria-label="Previous piece"
          title="Previous piece"
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Next piece"
          title="Next piece"
          disabled={onNext === undefined}
          onClick={onNext}
        >
          <Icon name="right" />
        </button>
      </span>
    </div>
  )
}

const Crumb = ({ className, children }: { readonly className: string; readonly children: ReactNode }) => (
  <span className={className}>
    {children}
    <Icon name="right" />
  </span>
)

function Accounted({ sums: { raw, quiet, records, events } }: { readonly sums: TraceSums }) {
  if (events === 0) return undefined
  if (raw > 0)
    return (
      <span className="accounted accounted-raw" title="They are kept as they were sent">
        <Icon name="record" />
        {raw === 1 ? '1 not understood' : `${raw.toLocaleString('en')} not understood`}
      </span>
    )
  const silent = `${quiet.toLocaleString('en')} more gave nothing of their own`
  return (
    <span
      className="accounted"
      title={`Each of ${records.toLocaleString('en')} records has its events${quiet > 0 ? `; ${silent}` : ''}`}
    >
      <Icon name="check" />
      all accounted for
    </span>
  )
}
