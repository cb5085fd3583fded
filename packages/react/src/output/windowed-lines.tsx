import { type ReactNode, useMemo, useState } from 'react'
import { createStyledLines, type Span } from './ansi.ts'

interface WindowedLinesProps {
  readonly text: string
  readonly isError: boolean
  readonly label: string
}

/** The height of a line, as the style sheet has it. */
const LINE = 19

/** The height of the box, in lines, and what is drawn beyond it at each side. */
const SHOWN = 24
const BEYOND = 40

/** All lines of a very long output in a box of its own. Only those in view are in the page, each as it was coloured. */
export function WindowedLines({ text, isError, label }: WindowedLinesProps) {
  const lines = useMemo(() => createStyledLines(text), [text])
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.min(top, lines.count) - BEYOND)
  const end = Math.min(lines.count, top + SHOWN + BEYOND)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      className={`mr-output mr-windowed${isError ? ' mr-output-bad' : ''}`}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
      tabIndex={0}
      style={{ height: SHOWN * LINE }}
      onScroll={({ currentTarget }) => {
        const next = Math.floor(currentTarget.scrollTop / LINE)
        // What is drawn beyond the box is enough for half of it.
        if (Math.abs(next - top) > BEYOND / 2) setTop(next)
      }}
    >
      <div style={{ height: lines.count * LINE, minWidth: `${lines.width}ch` }}>
        <pre style={{ transform: `translateY(${first * LINE}px)` }}>
          {numbersFrom(first, end).map((line) => (
            <span key={line} className="mr-line">
              {styled(lines.spans(line))}
            </span>
          ))}
        </pre>
      </div>
    </div>
  )
}

const numbersFrom = (first: number, end: number) => Array.from({ length: end - first }, (_, index) => first + index)

/** Plain text needs no element. */
export const styled = (spans: readonly Span[]): readonly ReactNode[] =>
  spans.map(({ text, style }, index) =>
    style === '' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their index
      <span key={index} className={style}>
        {text}
      </span>
    ),
  )
