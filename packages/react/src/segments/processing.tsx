import { durationBetween, type ProcessingBlock, type StatusLine } from '@millrace/core/fold'
import { DisclosureCard, Unseen } from '../disclosure-card.tsx'
import { durationText, finishedLabel } from '../durations.ts'
import { Elapsed } from '../elapsed.tsx'
import { Icon, Spinner } from '../icon.tsx'
import { useDisclosure, useOpenWhileLive } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

interface ProcessingProps {
  readonly block: ProcessingBlock
  readonly hasNewer: boolean
}

export function Processing({ block, hasNewer }: ProcessingProps) {
  const { isOver, labels } = useViewContext()
  const isLive = block.state === 'live' && !isOver
  const disclosure = useDisclosure(block.key, useOpenWhileLive(isLive, hasNewer))
  const lines = block.segments.flatMap((segment) => (segment.type === 'status' ? segment.lines : []))
  return (
    <DisclosureCard
      className="mr-processing"
      disclosure={disclosure}
      icon={isLive ? <Spinner /> : <Icon name="done" className="mr-glyph" />}
      label={
        <>
          <span className="mr-label">{isLive ? labels.processing : finishedLabel(block, labels)}</span>
          <span className="mr-quiet mr-cut">{!disclosure.isOpen && lines.at(-1)?.message}</span>
        </>
      }
      end={isLive && <Elapsed since={block.startedAt} />}
    >
      <ul className="mr-body mr-lines">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
          <li key={index} className={`mr-line-${line.level}`}>
            <span>
              {line.level !== 'info' && <Unseen>{line.level === 'warn' ? labels.warning : labels.error}</Unseen>}
              {line.message}
            </span>
            <Offset line={line} start={block.startedAt} />
          </li>
        ))}
      </ul>
    </DisclosureCard>
  )
}

/** The time since the start of the block, if any has passed. */
function Offset({ line, start }: { readonly line: StatusLine; readonly start: number }) {
  const { labels } = useViewContext()
  const offset = durationBetween(start, line.at)
  return offset === undefined ? undefined : <span className="mr-time">{durationText(offset, labels)}</span>
}
