import { blockLabel, type ReasoningSegment, type ThinkingBlock } from '@millrace/core/fold'
import { DisclosureCard } from '../disclosure-card.tsx'
import { Elapsed } from '../elapsed.tsx'
import { Icon } from '../icon.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { useDisclosure, useOpenWhileLive } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

interface ThinkingProps {
  readonly block: ThinkingBlock
  readonly hasNewer: boolean
}

/** The note beside the label of thoughts that are a plan or a summary. */
const asides: { readonly [variant: string]: string } = { plan: 'a plan', summary: 'a summary' }

export function Thinking({ block, hasNewer }: ThinkingProps) {
  const { isOver } = useViewContext()
  const isLive = block.state === 'live' && !isOver
  const disclosure = useDisclosure(block.key, useOpenWhileLive(isLive, hasNewer))
  const shown = block.segments.filter(({ text }) => text.trim() !== '')
  return (
    <DisclosureCard
      className="mr-thinking"
      disclosure={disclosure}
      icon={<Icon name="brain" className="mr-glyph" />}
      label={
        <>
          <span className={`mr-label${isLive ? ' mr-shimmer' : ''}`}>
            {isLive ? 'Thinking…' : blockLabel({ ...block, state: 'done' })}
          </span>
          <span className="mr-quiet mr-cut">{asideOf(block, shown)}</span>
        </>
      }
      end={isLive && <Elapsed since={block.startedAt} />}
    >
      {shown.length > 0 && (
        <div className="mr-body mr-thought">
          {shown.map(({ id, text, state }) => (
            <Markdown key={id} text={text} isLive={state === 'live' && !isOver} />
          ))}
        </div>
      )}
    </DisclosureCard>
  )
}

function asideOf(block: ThinkingBlock, shown: readonly ReasoningSegment[]): string {
  if (block.state === 'done' && shown.length === 0) return 'kept hidden by the provider'
  if (block.segments.at(-1)?.state === 'interrupted') return 'interrupted'
  return asides[block.segments[0]?.variant ?? ''] ?? ''
}
