import type { Json } from '@millrace/core/json'
import { FoldCard } from '../fold-card.tsx'
import { Icon } from '../icon.tsx'
import { Output } from '../output/output.tsx'
import { useFold } from '../use-fold.ts'

interface DataProps {
  readonly name: string
  readonly value: Json
  /** Tells its toggle from others. */
  readonly at: number
}

/** What no other view knows: kept, and shown as it is. */
export function Data({ name, value, at }: DataProps) {
  const fold = useFold(at, false)
  const line = JSON.stringify(value) ?? ''
  return (
    <FoldCard
      look="mr-tool mr-data"
      fold={fold}
      icon={<Icon name="dots" className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{name}</span>
          <code className="mr-argument mr-cut">{line.slice(0, 240)}</code>
        </>
      }
    >
      <div className="mr-well">
        <Output text={JSON.stringify(value, null, 2) ?? ''} label={`${name}, as JSON`} />
      </div>
    </FoldCard>
  )
}
