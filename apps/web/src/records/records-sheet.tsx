import type { RawKept } from '@millrace/core/fold'
import { Output } from '@millrace/react'
import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Sheet } from '../sheet.tsx'
import { troubleText } from '../trouble.ts'
import { seqText } from '../words/numbers.ts'
import { readRecords, type UnreadRecord } from './read-records.ts'

interface RecordsSheetProps {
  readonly runId: string
  readonly raw: RawKept
  readonly onClose: () => void
}

/** Raw records as inert text, each below the number of its entry. */
export function RecordsSheet({ runId, raw, onClose }: RecordsSheetProps) {
  const { api } = useApp()
  const [found, setFound] = useState<readonly UnreadRecord[] | string>()
  useEffect(() => {
    let isCurrent = true
    readRecords(api, runId, raw)
      .catch(troubleText)
      .then((records) => isCurrent && setFound(records))
    return () => {
      isCurrent = false
    }
  }, [api, runId, raw])
  return (
    <Sheet title="Records that were not understood" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <div className="proof" tabIndex={0}>
        <p className="records-lead">
          They are kept as they were sent, and a later version may understand them.
          {raw.count > raw.seqs.length &&
            ` These are the first ${raw.seqs.length} of ${raw.count.toLocaleString('en')}.`}
        </p>
        {found === undefined && <p className="records-lead">Reading the records…</p>}
        {typeof found === 'string' && <p role="alert">{found}</p>}
        {Array.isArray(found) && (
          <ol className="records">
            {found.map(({ seq, text }) => (
              <li key={seq}>
                <code className="records-seq">{seqText(seq)}</code>
                <div className="records-text">
                  <Output text={text} label={`Record of entry ${seq}`} />
                </div>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Sheet>
  )
}
