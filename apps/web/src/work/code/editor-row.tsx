import type { DiffRow } from '@millrace/core/work'
import { memo } from 'react'
import type { EditorRow, GapRow } from './file-rows.ts'
import { lineTokens } from './line-tokens.ts'

interface EditorRowViewProps {
  readonly row: EditorRow
  readonly path: string
  readonly language: string
  readonly currentStep: number | undefined
  readonly hoveredStep: number | undefined
  readonly onOpen: (from: number) => void
}

export const EditorRowView = memo(function EditorRowView(props: EditorRowViewProps) {
  const { row, path, onOpen } = props
  if (row.kind === 'gap') return <Gap row={row} path={path} onOpen={onOpen} />
  if (row.kind === 'line') return <Line {...props} row={row.row} startsBlock={row.startsBlock} side="both" />
  return (
    <div className="line-pair">
      <Side {...props} row={row.left} startsBlock={false} side="before" />
      <Side {...props} row={row.right} startsBlock={row.startsBlock} side="after" />
    </div>
  )
})

interface LineProps extends Omit<EditorRowViewProps, 'row'> {
  readonly row: DiffRow
  readonly startsBlock: boolean
  readonly side: 'both' | 'before' | 'after'
}

function Side({ row, ...line }: Omit<LineProps, 'row'> & { readonly row: DiffRow | undefined }) {
  return row === undefined ? <div className="line line-none" /> : <Line {...line} row={row} />
}

const classesOfSign = { '+': ' line-added', '-': ' line-removed', ' ': '' } as const

function Line({ row, startsBlock, side, language, currentStep, hoveredStep }: LineProps) {
  const { sign, text, before, after, mark } = row
  const step = side === 'before' || row.step === 0 ? undefined : row.step
  const state = step === undefined ? '' : step === currentStep ? ' line-current' : ''
  const isHovered = step !== undefined && step === hoveredStep && state === ''
  return (
    <div className={`line${classesOfSign[sign]}${state}${isHovered ? ' line-hovered' : ''}`} data-step={step}>
      <span className="line-edge" />
      {side !== 'after' && <span className="line-number line-before">{before}</span>}
      {side !== 'before' && <span className="line-number">{after}</span>}
      {side !== 'before' && (
        <span className="line-step">
          {startsBlock && (
            <b>
              <span className="unseen">step </span>
              {step}
            </b>
          )}
        </span>
      )}
      <span className="line-sign">{sign === ' ' ? '' : sign === '-' ? '−' : sign}</span>
      <code>
        {lineTokens(text, language, mark).map(({ text: part, kind, isMarked }, index) => {
          const className = kind === 'plain' ? undefined : `mr-token-${kind}`
          // Tokens have no identity but their index.
          const key = index
          if (isMarked) {
            return (
              <mark key={key} className={className}>
                {part}
              </mark>
            )
          }
          return className === undefined ? (
            part
          ) : (
            <span key={key} className={className}>
              {part}
            </span>
          )
        })}
      </code>
    </div>
  )
}

const placesOfGap = { above: 'above', between: 'between', below: 'below' } as const

/** The head of a part: where it stands, and the lines that are left out, which it opens. */
function Gap({
  row,
  path,
  onOpen,
}: {
  readonly row: GapRow
  readonly path: string
  readonly onOpen: (from: number) => void
}) {
  const { gap, position, symbol } = row
  const count = gap.to - gap.from
  return (
    <div className="line-gap">
      <span className="mr-cut">
        {path}
        {symbol !== undefined && ` · ${symbol}`}
      </span>
      {position === 'unknown' ? (
        <span className="line-gap-note">place not known</span>
      ) : (
        <button type="button" className="text-link" onClick={() => onOpen(gap.from)}>
          {count.toLocaleString('en')} {count === 1 ? 'line' : 'lines'} {placesOfGap[position]}
        </button>
      )}
    </div>
  )
}
