import type { ReactNode } from 'react'
import { MenuButton } from '../menu-button.tsx'
import { StateGlyph } from '../rail/state-glyph.tsx'
import { stateWords, type ThreadState } from '../threads/thread-state.ts'
import type { Totals } from '../threads/totals.ts'
import { useNow } from '../use-now.ts'
import { costText, countText } from '../words/counts.ts'
import { durationWords, wholeSeconds } from '../words/duration.ts'
import { formatTitle } from '../words/formats.ts'
import { TitleField } from './title-field.tsx'

const SECOND = 1_000

interface ThreadHeaderProps {
  readonly title: string
  /** Of the last run. */
  readonly format: string | undefined
  readonly state: ThreadState
  /** The run goes on without this page. */
  readonly isCut: boolean
  readonly totals: Totals
  readonly wires: ReactNode
  readonly stop: ReactNode
  readonly onRename: (title: string) => void
}

export function ThreadHeader({ title, format, state, isCut, totals, wires, stop, onRename }: ThreadHeaderProps) {
  return (
    <header className="bar">
      <MenuButton />
      <TitleField title={title} onRename={onRename} />
      {format !== undefined && <span className="mr-badge badge format">{formatTitle(format)}</span>}
      {isCut ? (
        <span className="mr-badge badge">Not connected</span>
      ) : (
        <span className={`mr-badge badge badge-${state}`}>
          <StateGlyph state={state} />
          {stateWords[state]}
        </span>
      )}
      <span className="bar-end">
        <Meter {...totals} />
        {wires}
        {stop}
      </span>
    </header>
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
        <Fact value={liveSince === undefined ? durationWords(time) : wholeSeconds(time)} title="Time" />
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
