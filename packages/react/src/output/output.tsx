import { memo, type ReactNode, useState } from 'react'
import { Scroller } from '../scroller.tsx'
import { withoutTrailing } from '../without-trailing.ts'
import { spansOf } from './ansi.ts'

const WHOLE_UP_TO = 200
const HEAD = 12
const TAIL = 12
const LONGEST_LINE = 4000

interface OutputProps {
  readonly text: string
  /** Only so many lines at the end, until more is asked for. */
  readonly last?: number
  readonly isError?: boolean
  /** A caret behind the last character: more is coming. */
  readonly isGrowing?: boolean
  readonly label: string
}

/** What a tool printed. A long one shows its head and tail; the rest comes when it is asked for. */
export const Output = memo(function Output({ text, last, isError = false, isGrowing = false, label }: OutputProps) {
  const [isWhole, setIsWhole] = useState(false)
  const { head, hidden, tail } = isWhole ? { head: linesOf(text), hidden: 0, tail: [] } : cut(text, last)
  const showAll = () => setIsWhole(true)
  const isShortened = !isWhole && [...head, ...tail].some(isLong)
  const what = hidden === 0 ? 'whole lines' : `${hidden.toLocaleString('en')} more ${hidden === 1 ? 'line' : 'lines'}`
  const more = (hidden > 0 || isShortened) && (
    <button type="button" className="mr-more" onClick={showAll}>
      Show {what}
    </button>
  )
  const shown = (part: readonly string[]) => (isWhole ? part : part.map(shortened))
  return (
    <>
      {head.length > 0 && (
        <Lines lines={shown(head)} isError={isError} label={label} isGrowing={isGrowing && hidden === 0} />
      )}
      {more}
      {tail.length > 0 && <Lines lines={shown(tail)} isError={isError} label={label} isGrowing={isGrowing} />}
    </>
  )
})

const isLong = (line: string) => line.length > LONGEST_LINE
const shortened = (line: string) => (isLong(line) ? `${line.slice(0, LONGEST_LINE)}…` : line)

interface Cut {
  readonly head: readonly string[]
  readonly hidden: number
  readonly tail: readonly string[]
}

function linesOf(text: string): readonly string[] {
  return withoutTrailing(text, '\n').split('\n')
}

function cut(text: string, last: number | undefined): Cut {
  const lines = linesOf(text)
  if (last !== undefined && lines.length > last) {
    return { head: [], hidden: lines.length - last, tail: lines.slice(-last) }
  }
  if (lines.length <= WHOLE_UP_TO) return { head: lines, hidden: 0, tail: [] }
  return { head: lines.slice(0, HEAD), hidden: lines.length - HEAD - TAIL, tail: lines.slice(-TAIL) }
}

interface LinesProps {
  readonly lines: readonly string[]
  readonly isError: boolean
  readonly isGrowing: boolean
  readonly label: string
}

/** It scrolls, so the keyboard must reach it. */
function Lines({ lines, isError, isGrowing, label }: LinesProps): ReactNode {
  const look = `mr-output${isError ? ' mr-output-bad' : ''}`
  return (
    <Scroller look={look} label={label}>
      {spansOf(lines.join('\n')).map(({ text, style }, index) =>
        style === '' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
          <span key={index} className={style}>
            {text}
          </span>
        ),
      )}
      {isGrowing && <span className="mr-caret" />}
    </Scroller>
  )
}
