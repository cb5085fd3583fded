import type { Segment } from '@millrace/core/fold'
import type { TraceSums } from '@millrace/core/lens'
import { Fragment, type KeyboardEvent } from 'react'
import { Icon } from '../../icon.tsx'
import { seqText } from '../../words/numbers.ts'
import { idOfPiece } from './lens-subject.ts'

/** The stations of a piece, in order. Records and events are seen side by side. */
export const stations = ['records', 'events', 'segment', 'wires'] as const

export type Station = (typeof stations)[number]

/** What happens between a station and the next. */
const joints: { readonly [From in Station]?: string } = { records: 'parse', events: 'fold', segment: 'emit' }

interface ChainFacts {
  readonly sums: TraceSums
  /** The first and the last entry. */
  readonly seqs: readonly [first: number, last: number]
  readonly piece: Segment | undefined
  readonly wires: number
  /** How many wires lose something of the piece. */
  readonly lossy: number
}

interface ChainProps {
  readonly facts: ChainFacts
  readonly station: Station
  readonly onChoose: (station: Station) => void
}

/** The chain is the tab bar: records → events → segment → wires. */
export function LensChain({ facts, station, onChoose }: ChainProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || event.shiftKey) return
    event.preventDefault()
    const next = stations[(stations.indexOf(station) + step + stations.length) % stations.length] as Station
    onChoose(next)
    event.currentTarget.querySelector<HTMLElement>(`#station-${next}`)?.focus()
  }
  return (
    <div className="chain" role="tablist" aria-label="From records to wires" onKeyDown={onKeyDown}>
      {stations.map((each) => {
        const { count, unit, fact } = factsOf(each, facts)
        return (
          <Fragment key={each}>
            <button
              type="button"
              role="tab"
              id={`station-${each}`}
              className={`station${isTraced(each) && isTraced(station) ? ' station-traced' : ''}`}
              aria-selected={each === station}
              aria-controls="lens-panel"
              tabIndex={each === station ? 0 : -1}
              onClick={() => onChoose(each)}
            >
              <b>
                {count.toLocaleString('en')} <span>{unit}</span>
              </b>
              <span className="station-fact">{fact}</span>
            </button>
            {joints[each] !== undefined && (
              <span className="joint" aria-hidden="true">
                {joints[each]}
                <Icon name="right" />
              </span>
            )}
          </Fragment>
        )
      })}
    </div>
  )
}

/** Whether a station is seen in the trace. */
export const isTraced = (station: Station) => station === 'records' || station === 'events'

interface StationFacts {
  readonly count: number
  readonly unit: string
  readonly fact: string
}

function factsOf(station: Station, { sums, seqs, piece, wires, lossy }: ChainFacts): StationFacts {
  const rows: { readonly [Each in Station]: StationFacts } = {
    records: { count: sums.records, unit: unitOf('record', sums.records), fact: linesText(sums) },
    events: { count: sums.events, unit: unitOf('event', sums.events), fact: rangeText(seqs) },
    segment:
      piece === undefined
        ? { count: 0, unit: 'segments', fact: 'drawn nowhere' }
        : { count: 1, unit: 'segment', fact: [piece.type, idOfPiece(piece)].filter(Boolean).join(' · ') },
    wires: { count: wires, unit: unitOf('wire', wires), fact: `${wires - lossy} whole, ${lossy} lossy` },
  }
  return rows[station]
}

const unitOf = (unit: string, count: number) => (count === 1 ? unit : `${unit}s`)

/** Lines are counted from 1, as an editor does. */
function linesText({ between, added, events }: TraceSums): string {
  if (between === undefined) return added === events ? 'added by the server' : 'none came in'
  const [first, last] = between.map((number) => (number + 1).toLocaleString('en'))
  return first === last ? `line ${first}` : `lines ${first}–${last}`
}

const rangeText = ([first, last]: ChainFacts['seqs']) =>
  first === last ? seqText(first) : `${seqText(first)}–${last.toLocaleString('en')}`
