import type { EntryMaker } from '@millrace/core/entry'
import type { FoldedApproval } from '@millrace/core/fold/shapes'

const makers: { readonly [Maker in EntryMaker]: string } = { server: 'by you', client: 'by its client' }

/** What became of a question, and who said so: `approved by you`, `denied in the stream`. Undefined while it is open. */
export function answerText({ state, by }: Pick<FoldedApproval, 'state' | 'by'>): string | undefined {
  if (state === 'requested') return undefined
  if (state === 'expired') return 'expired'
  return `${state} ${by === undefined ? 'in the stream' : makers[by]}`
}
