import type { FormatsColumn } from '@millrace/core/api'
import { formatTitle, Thread, tokensOf } from '@millrace/react'
import { useMemo } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { seqText } from '../words/numbers.ts'
import type { ColumnSnapshot } from './column-store.ts'
import { type Agreement, comparedOf } from './picture.ts'
import { useHash } from './use-columns.ts'

/** How many raw lines are in view. */
const RAW_LINES = 7

interface FormatColumnProps {
  readonly column: FormatsColumn
  readonly viewer: ColumnSnapshot
  readonly lines: readonly string[]
  readonly isDown: boolean
  /** What is finished in all columns: the hash of it is shown. */
  readonly agreement: Agreement
  /** On a narrow screen only one is in view. */
  readonly isChosen: boolean
}

/** One format: its raw lines above, what is drawn of them below. */
export function FormatColumn({ column, viewer, lines, isDown, agreement, isChosen }: FormatColumnProps) {
  const { basePath } = useApp()
  const { format, runId } = column
  const { run, seq, rawThrough, connection } = viewer
  const isCut = isDown || connection === 'cut'
  const endedRuns = useMemo(() => new Set(run.outcome === undefined ? [] : [runId]), [run.outcome, runId])
  const { pieces, isWhole, different } = agreement
  const compared = useMemo(() => JSON.stringify(comparedOf(run, isWhole).slice(0, pieces)), [run, isWhole, pieces])
  const hash = useHash(compared)
  const title = formatTitle(format)
  return (
    <section className={`format${isCut ? ' format-cut' : ''}${isChosen ? ' format-chosen' : ''}`} aria-label={title}>
      <header className="format-head">
        <h2>{title}</h2>
        <code className="mr-cut">{format}</code>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <section className="format-raw" aria-label={`${title}, raw records`} tabIndex={0}>
        {lines.slice(Math.max(0, rawThrough - RAW_LINES), rawThrough).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its number
          <RawLine key={rawThrough - RAW_LINES + index} text={line} />
        ))}
        {isCut && (
          <span className="format-closed">
            <Icon name="slash" />
            connection closed
          </span>
        )}
      </section>
      <div className="format-picture">
        <Thread basePath={basePath} events={run.chatEvents} endedRuns={endedRuns} isStill={isCut} />
      </div>
      {isCut && (
        <p className="format-kept">
          <Icon name="slash" />
          {isDown ? 'Server down.' : 'Connecting again.'} Kept to <code>{seqText(seq)}</code>
        </p>
      )}
      <footer className="format-foot">
        <span>
          {rawThrough} raw <Icon name="right" /> {seq} events
        </span>
        {hash !== undefined && pieces > 0 && (
          <code
            className={`mr-badge ${different.includes(runId) ? 'mr-bad' : 'mr-ok'}`}
            title={`SHA-256 of the ${pieces} pieces: ${hash}`}
          >
            {hash.slice(0, 4)}·{hash.slice(4, 6)}
          </code>
        )}
      </footer>
    </section>
  )
}

/** The beginning of a line is enough to tell one format from another. */
const SHOWN = 160

function RawLine({ text }: { readonly text: string }) {
  const tokens = useMemo(() => tokensOf(text.slice(0, SHOWN), 'json'), [text])
  return (
    <pre className="mr-cut">
      {tokens.map(({ kind, text: part }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token has no identity but its position
        <span key={index} className={`mr-token-${kind}`}>
          {part}
        </span>
      ))}
    </pre>
  )
}
