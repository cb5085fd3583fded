import type { Json } from '@millrace/core/json'
import { DisclosureCard } from '../disclosure-card.tsx'
import { Icon } from '../icon.tsx'
import { Output } from '../output/output.tsx'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

interface DataProps {
  readonly name: string
  readonly value: Json
  /** The key of its toggle. */
  readonly at: number
}

/** A segment without a view of its own, shown as JSON. */
export function Data({ name, value, at }: DataProps) {
  const { labels } = useViewContext()
  const disclosure = useDisclosure(at, false)
  const line = JSON.stringify(value) ?? ''
  return (
    <DisclosureCard
      className="mr-tool mr-data"
      disclosure={disclosure}
      icon={<Icon name="dots" className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{name}</span>
          <code className="mr-argument mr-cut">{line.slice(0, 240)}</code>
        </>
      }
    >
      <div className="mr-well">
        <Output text={JSON.stringify(value, null, 2) ?? ''} label={labels.asJson(name)} />
      </div>
    </DisclosureCard>
  )
}
