import type { RunInfo } from '@millrace/core/client'
import { UnreadLine } from '../records/unread-line.tsx'
import { formatTitle } from '../words/formats.ts'

/** Why a thread whose run has ended has nothing to show. */
export function EmptyThread({ run }: { readonly run: RunInfo }) {
  const count = run.raw?.count ?? 0
  return (
    <div className="empty-thread">
      <h2>{count > 0 ? 'Nothing of this run was understood' : 'This run ended without saying anything'}</h2>
      <p>
        {count > 0
          ? `Its records were read as ${formatTitle(run.format ?? 'unknown')}. They may be of another format; nothing is lost.`
          : 'No message, tool or status came before its end.'}
      </p>
      <UnreadLine run={run} />
    </div>
  )
}
