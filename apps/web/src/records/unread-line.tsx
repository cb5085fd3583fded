import type { RunInfo } from '@millrace/core/client'
import { Icon } from '../icon.tsx'
import { usePositionStore } from '../position/position-context.ts'
import { seqText } from '../words/numbers.ts'

/** The line names this many entries; the lens leads from the first to all others. */
const NAMED = 4

/** The number of records that were not understood: one quiet line that opens the lens. Undefined if there are none. */
export function UnreadLine({ run }: { readonly run: RunInfo | undefined }) {
  const store = usePositionStore()
  if (run?.raw === undefined || run.raw.count === 0) return undefined
  const { count, seqs } = run.raw
  const [first = 0] = seqs
  const open = () => {
    store.select({ runId: run.id, seqs: [first, first], entry: first })
    store.openPane('lens')
  }
  const countText = count === 1 ? '1 record was' : `${count.toLocaleString('en')} records were`
  return (
    <button type="button" className="unread" onClick={open}>
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
  )
}
