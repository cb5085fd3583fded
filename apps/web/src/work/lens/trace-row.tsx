import type { Entry } from '@millrace/core/events'
import { matchesOf, type SentRecord, sharedStart, type TraceRow } from '@millrace/core/lens'
import { type ReactNode, useMemo } from 'react'
import { seqText } from '../../words/numbers.ts'
import { delayText } from './hops.ts'
import { joinedMarks } from './json-parts.ts'
import { JsonText } from './json-text.tsx'
import { delayOf, textOfEntry } from './trace-items.ts'

interface RowProps {
  readonly row: TraceRow
  readonly record: SentRecord | undefined
  /** The texts of the records before and after it. */
  readonly beside: readonly [before: string | undefined, after: string | undefined]
  readonly first: Entry | undefined
  readonly onChoose: () => void
  readonly onHover: () => void
}

/** More of a line is never seen in a row. */
const MOST_SHOWN = 600

/** A record and the event beside it, on one line. */
export function TraceLine({ row, record, beside, first, onChoose, onHover }: RowProps) {
  const { entry, isOwn } = row
  const cut = record === undefined ? 0 : sharedStart(record.text, ...beside)
  return (
    <button
      type="button"
      className={`trace-row${isOwn ? '' : ' trace-other'}${entry === undefined ? ' trace-quiet' : ''}`}
      aria-pressed={false}
      tabIndex={-1}
      onClick={onChoose}
      onPointerEnter={onHover}
    >
      <span className="trace-number">{row.record !== undefined && (row.record + 1).toLocaleString('en')}</span>
      <code>
        {record === undefined ? (
          <Absent row={row} />
        ) : (
          <>
            {cut > 0 && '…'}
            <JsonText text={record.text.slice(cut, cut + MOST_SHOWN)} />
          </>
        )}
      </code>
      <span className="rib" data-rib={ribOf(row)} />
      <span className="trace-seq">{entry !== undefined && seqText(entry.seq)}</span>
      <code>
        {entry === undefined ? (
          <i>
            <span className="quiet-line">line {((row.record ?? 0) + 1).toLocaleString('en')}: </span>
            nothing of its own
          </i>
        ) : (
          <>
            <b>{entry.event.type}</b> <JsonText text={textOfEntry(entry, false).slice(0, MOST_SHOWN)} />
          </>
        )}
      </code>
      <Delay row={row} first={first} />
    </button>
  )
}

const ribOf = ({ entry, record, isSame }: TraceRow) =>
  entry === undefined ? 'none' : record === undefined && !isSame ? 'none' : isSame ? 'same' : 'one'

/** Why nothing stands at the left. */
function Absent({ row: { record, isSame, entry } }: { readonly row: TraceRow }): ReactNode {
  if (record !== undefined) return <i>…</i>
  if (isSame) return <i>of the record above</i>
  return <i>nothing came in: {entry?.by === 'client' ? 'a client’s own' : 'the server’s own'}</i>
}

function Delay({ row: { entry }, first }: Pick<RowProps, 'row' | 'first'>) {
  const delay = entry === undefined ? undefined : delayOf(first, entry)
  return <span className="trace-delay">{delay !== undefined && delayText(delay)}</span>
}

/** A record of several megabytes is not laid out as a whole. */
const MOST_WHOLE = 40_000
const whole = (text: string) =>
  text.length <= MOST_WHOLE
    ? text
    : `${text.slice(0, MOST_WHOLE)} … ${(text.length - MOST_WHOLE).toLocaleString('en')} characters more`

interface PairProps {
  readonly row: TraceRow
  /** The record that completed the entry, also if it stands at an earlier row. */
  readonly record: SentRecord | undefined
  readonly number: number | undefined
  readonly first: Entry | undefined
  readonly onHeight: (element: HTMLElement | null) => void
}

/** The pair that is open: both texts whole, with the bytes that both have marked. */
export function TracePair({ row, record, number, first, onHeight }: PairProps) {
  const { entry } = row
  const recordText = whole(record?.text ?? '')
  const eventText = entry === undefined ? '' : whole(textOfEntry(entry, true))
  const marks = useMemo(() => {
    const matches = matchesOf(recordText, eventText)
    return {
      record: joinedMarks(matches.map((match) => match.record)),
      event: joinedMarks(matches.map((match) => match.event)),
    }
  }, [recordText, eventText])
  return (
    <div className="trace-pair" ref={onHeight}>
      <button type="button" className="trace-row trace-current" aria-pressed={true}>
        <span className="trace-number">{number !== undefined && (number + 1).toLocaleString('en')}</span>
        <span />
        <span className="rib" data-rib={number === undefined || entry === undefined ? 'none' : 'one'} />
        <span className="trace-seq">{entry !== undefined && seqText(entry.seq)}</span>
        <code>{entry !== undefined && <b>{entry.event.type}</b>}</code>
        <Delay row={row} first={first} />
      </button>
      <pre className="pair-record">
        {record === undefined ? <Absent row={row} /> : <JsonText text={recordText} marks={marks.record} />}
      </pre>
      <pre className="pair-event">
        {entry === undefined ? (
          <i>Nothing of its own: it was understood, or held for a later event.</i>
        ) : (
          <JsonText text={eventText} marks={marks.event} />
        )}
      </pre>
    </div>
  )
}
