import type { ReasoningSegment, ThinkingBlock } from '@millrace/core/fold'
import { DisclosureCard } from '../disclosure-card.tsx'
import { finishedLabel } from '../durations.ts'
import { Elapsed } from '../elapsed.tsx'
import { firstSentence } from '../first-sentence.ts'
import { Icon } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { useDisclosure, useOpenWhileLive } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

interface ThinkingProps {
  readonly block: ThinkingBlock
  readonly hasNewer: boolean
}

/** The note beside the label of thoughts that are a plan or a summary. */
const asides = new Map<string | undefined, 'thoughtPlan' | 'thoughtSummary'>([
  ['plan', 'thoughtPlan'],
  ['summary', 'thoughtSummary'],
])

export function Thinking({ block, hasNewer }: ThinkingProps) {
  const { isOver, labels } = useViewContext()
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
            {isLive ? labels.thinking : finishedLabel(block, labels)}
          </span>
          <span className="mr-quiet mr-cut">
            {asideOf(block, shown, labels) ?? (disclosure.isOpen ? '' : factOf(shown))}
          </span>
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

function asideOf(block: ThinkingBlock, shown: readonly ReasoningSegment[], labels: Labels): string | undefined {
  if (block.state === 'done' && shown.length === 0) return labels.thoughtHidden
  if (block.segments.at(-1)?.state === 'interrupted') return labels.thoughtInterrupted
  const aside = asides.get(block.segments[0]?.variant)
  return aside === undefined ? undefined : labels[aside]
}

/** What a closed line says of the thought. */
function factOf(shown: readonly ReasoningSegment[]): string {
  return firstSentence(shown[0]?.text ?? '')
}
