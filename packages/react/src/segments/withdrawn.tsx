import type { ChatEvent } from '@millrace/core/fold/shapes'
import type { ReactNode } from 'react'
import { FoldCard } from '../fold-card.tsx'
import { Icon } from '../icon.tsx'
import { useFold } from '../use-fold.ts'

/** A message that was taken back is one line; what it said can still be read. */
export function Withdrawn({ event, children }: { readonly event: ChatEvent; readonly children: ReactNode }) {
  const fold = useFold(`withdrawn-${event.seqs[0]}`, false)
  return (
    <FoldCard
      look="mr-notice mr-withdrawn"
      fold={fold}
      icon={<Icon name="retry" className="mr-glyph" />}
      label={<span className="mr-quiet">Message withdrawn and replaced</span>}
    >
      <div className="mr-nest">{children}</div>
    </FoldCard>
  )
}
