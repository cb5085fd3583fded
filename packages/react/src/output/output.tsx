import { memo, type ReactNode, useState } from 'react'
import { countText } from '../numbers.ts'
import { useViewContext } from '../view-context.ts'
import { withoutTrailing } from '../without-trailing.ts'
import { spansOf } from './ansi.ts'
import { styled, WindowedLines } from './windowed-lines.tsx'

const WHOLE_UP_TO = 200
const HEAD = 12
const TAIL = 12
const LONGEST_LINE = 4000
/** Of more lines only those in view are in the page. */
const WINDOWED_FROM = 2_000

export interface OutputProps {
  readonly text: string
  /** The number of lines at the end to show, until the user asks for more. */
  readonly last?: number
  readonly isError?: boolean
  /** Draws a caret after the last character: the text is still growing. */
  readonly isGrowing?: boolean
  readonly label: string
}

/** The output of a tool. A long one shows its head and tail, and the lines between them on demand. */
export const Output = memo(function Output({ text, last, isError = false, isGrowing = false, label }: OutputProps) {
  const { labels } = useViewContext()
  const [isWhole, setIsWhole] = useState(false)
  const { head, hidden, tail } = isWhole ? { head: linesOf(text), hidden: 0, tail: [] } : cut(text, last)
  const showAll = () => setIsWhole(true)
  if (head.length > WINDOWED_FROM) return <WindowedLines text={text} isError={isError} label={label} />
  const isShortened = !isWhole && [...head, ...tail].some(isLong)
  const more = (hidden > 0 || isShortened) && (
    <button type="button" className="mr-more" onClick={showAll}>
      {hidden === 0 ? labels.showWholeLines : countText(hidden, labels.showLines, labels)}
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

function Lines({ lines, isError, isGrowing, label }: LinesProps): ReactNode {
  const className = `mr-output${isError ? ' mr-output-bad' : ''}`
  return (
    <Scroller className={className} label={label}>
      {styled(spansOf(lines.join('\n')))}
      {isGrowing && <span className="mr-caret" />}
    </Scroller>
  )
}

interface ScrollerProps {
  readonly className?: string
  readonly label: string
  readonly children: ReactNode
}

/** Preformatted text that may scroll: the keyboard can reach it, and it has a label. */
export function Scroller({ className, label, children }: ScrollerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <pre className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  )
}

/** Text that is too expensive to format, or that could not be formatted: all of it, as it is written. */
export function PlainBlock({ text }: { readonly text: string }) {
  const { labels } = useViewContext()
  return (
    <div className="mr-plain">
      <p className="mr-plain-note">{labels.shownAsWritten}</p>
      <Output text={text} label={labels.textAsWritten} />
    </div>
  )
}
