import type { Spans } from '@millrace/core/spans'
import type { ReactNode } from 'react'
import { spanText } from '../words/numbers.ts'
import { wordsOfTimes } from './span-words.ts'
import { spentOf } from './spent.ts'
import { tonesOfTimes } from './tones.ts'

interface SummaryProps {
  readonly times: Spans
  /** Absent: the run has no times. */
  readonly wall: number | undefined
  /** Which of the thread's runs it is. */
  readonly runChoice: ReactNode
  /** What changes the view. */
  readonly tools: ReactNode
}

/** The wall time of the run, and what it went to. */
export function Summary({ times, wall, runChoice, tools }: SummaryProps) {
  const { length } = times.spans
  const count = `${length.toLocaleString('en')} ${length === 1 ? 'span' : 'spans'}`
  return (
    <div className="tl-sum">
      <span className="tl-total">
        <b>{wall === undefined ? 'No times' : spanText(wall)}</b>
        <span>
          {runChoice}
          {count}
        </span>
      </span>
      {wall === undefined ? (
        <p className="tl-no-times">
          The records of this run carry no times: they arrived all at once. Its spans are listed in their order.
        </p>
      ) : (
        <Spent times={times} />
      )}
      {tools}
    </div>
  )
}

/** The stack is the critical path, sorted: what the run waited for, which adds up to its wall time. */
function Spent({ times }: { readonly times: Spans }) {
  const spent = spentOf(times)
  return (
    <div className="tl-spent">
      <div className="tl-spent-bar" aria-hidden="true">
        {spent.map(({ kind, ms }) => (
          <i key={kind} className={`tone-${tonesOfTimes[kind]}`} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className="tl-spent-key" aria-label="Where the time went">
        {spent.map(({ kind, tenths }) => (
          <li key={kind} className={`tone-${tonesOfTimes[kind]}${kind === 'between' ? ' is-between' : ''}`}>
            <i aria-hidden="true" />
            {wordsOfTimes[kind]} <b>{(tenths / 10).toFixed(1)}s</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
