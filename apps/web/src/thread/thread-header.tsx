import { englishLabels, StateGlyph, type ThreadStatus, useNow } from '@millrace/react'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { MenuButton } from '../navigation.tsx'
import type { Totals } from '../threads/totals.ts'
import { costText, countText, durationText, secondsText, seqText } from '../words/numbers.ts'
import { TitleField } from './title-field.tsx'

const SECOND = 1_000

interface ThreadHeaderProps {
  readonly title: string
  /** The agent of the last run, or the format of its stream. */
  readonly source: string | undefined
  readonly state: ThreadStatus
  /** The page has lost its connection to the run. */
  readonly isCut: boolean
  readonly totals: Totals
  /** The entry of the moment that is shown; absent: the present. */
  readonly pastSeq?: number | undefined
  /** Buttons that open sheets. */
  readonly tools: ReactNode
  readonly onRename: (title: string) => void
}

export function ThreadHeader({ title, source, state, isCut, totals, pastSeq, tools, onRename }: ThreadHeaderProps) {
  return (
    <header className="bar">
      <MenuButton />
      <TitleField title={title} onRename={onRename} />
      {source !== undefined && <span className="mr-badge badge format">{source}</span>}
      <StateBadge state={state} isCut={isCut} pastSeq={pastSeq} />
      <span className="bar-end">
        <Meter {...totals} />
        {tools}
      </span>
    </header>
  )
}

/** The state of the thread, or that the page shows a moment of its past. */
function StateBadge({ state, isCut, pastSeq }: Pick<ThreadHeaderProps, 'state' | 'isCut' | 'pastSeq'>) {
  if (pastSeq !== undefined)
    return (
      <span className="mr-badge badge badge-past">
        <Icon name="clock" />
        Past <code>{seqText(pastSeq)}</code>
      </span>
    )
  if (isCut) return <span className="mr-badge badge">Not connected</span>
  return (
    <span className={`mr-badge badge badge-${state}`}>
      <StateGlyph state={state} />
      {englishLabels.threadStatus[state]}
    </span>
  )
}

function Meter({ inputTokens, outputTokens, costUsd, durationMs, liveSince }: Totals) {
  const now = useNow(SECOND)
  const time = liveSince === undefined ? durationMs : (durationMs ?? 0) + Math.max(0, now - liveSince)
  return (
    <span className="meter">
      {inputTokens !== undefined && (
        <Fact value={countText(inputTokens)} unit="in" title="Tokens read" className="tokens" />
      )}
      {outputTokens !== undefined && (
        <Fact value={countText(outputTokens)} unit="out" title="Tokens written" className="tokens" />
      )}
      {costUsd !== undefined && <Fact value={costText(costUsd)} title="Cost" />}
      {time !== undefined && (
        <Fact value={liveSince === undefined ? durationText(time) : secondsText(time)} title="Time" />
      )}
    </span>
  )
}

interface FactProps {
  readonly value: string
  readonly unit?: string
  readonly title: string
  readonly className?: string
}

function Fact({ value, unit, title, className }: FactProps) {
  return (
    <span title={title} className={className}>
      <b>{value}</b>
      {unit !== undefined && ` ${unit}`}
    </span>
  )
}
