import type { EntryAddress } from '@millrace/react'
import { useCallback, useState } from 'react'
import type { Selection } from '../../position/position-store.ts'
import type { ThreadRoute } from '../../position/thread-route.ts'

/** The entry that a pane wants to be shown in the chat, until another link is followed. */
export function useRevealed(link: ThreadRoute) {
  const [revealed, setRevealed] = useState<EntryAddress & { readonly after: ThreadRoute }>()
  const reveal = useCallback(({ runId, seqs }: Selection) => setRevealed({ runId, seq: seqs[0], after: link }), [link])
  return [revealed?.after === link ? revealed : undefined, reveal] as const
}
