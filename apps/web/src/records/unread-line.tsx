import type { RunInfo } from '@millrace/core/client'
import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { seqText } from '../words/numbers.ts'
import { RecordsSheet } from './records-sheet.tsx'

/** The line names this many entries; the sheet has all of them. */
const NAMED = 4

/** The number of records that were not understood: one quiet line that opens them. Undefined if there are none. */
export function UnreadLine({ run }: { readonly run: RunInfo | undefined }) {
  const [isOpen, setIsOpen] = useState(false)
  if (run?.raw === undefined || run.raw.count === 0) return undefined
  const { count, seqs } = run.raw
  const countText = count === 1 ? '1 record was' : `${count.toLocaleString('en')} records were`
  return (
    <>
      <button type="button" className="unread" onClick={() => setIsOpen(true)}>
        <Icon name="record" />
        <span>
          {countText} not understood and {count === 1 ? 'is' : 'are'} kept
        </span>
        <code className="mr-cut">
          {seqs.slice(0, NAMED).map(seqText).join(' ')}
          {count > NAMED && ' …'}
        </code>
        <Icon name="chevron" className="unread-open" />
      </button>
      {isOpen && <RecordsSheet runId={run.id} raw={run.raw} onClose={() => setIsOpen(false)} />}
    </>
  )
}
