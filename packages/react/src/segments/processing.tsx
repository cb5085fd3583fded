import { blockLabel, durationBetween, type ProcessingBlock } from '@millrace/core/fold/blocks'
import type { StatusLine } from '@millrace/core/fold/shapes'
import { durationText } from '../durations.ts'
import { Elapsed } from '../elapsed.tsx'
import { FoldCard, Unseen } from '../fold-card.tsx'
import { Icon, Spinner } from '../icon.tsx'
import { useFold, useOpenWhileLive } from '../use-fold.ts'

interface ProcessingProps {
  readonly block: ProcessingBlock
  readonly hasNewer: boolean
}

const spoken = { info: '', warn: 'Warning: ', error: 'Error: ' } as const

export function Processing({ block, hasNewer }: ProcessingProps) {
  const isLive = block.state === 'live'
  const fold = useFold(block.key, useOpenWhileLive(isLive, hasNewer))
  const lines = block.segments.flatMap((segment) => (segment.type === 'status' ? segment.lines : []))
  return (
    <FoldCard
      look="mr-processing"
      fold={fold}
      icon={isLive ? <Spinner /> : <Icon name="done" className="mr-glyph" />}
      label={<span className="mr-label">{isLive ? 'Processing…' : blockLabel(block)}</span>}
      end={isLive && <Elapsed since={block.startedAt} />}
    >
      <ul className="mr-body mr-lines">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
          <li key={index} className={`mr-line-${line.level}`}>
            <span>
              {line.level !== 'info' && <Unseen>{spoken[line.level]}</Unseen>}
              {line.message}
            </span>
            <Offset line={line} start={block.startedAt} />
          </li>
        ))}
      </ul>
    </FoldCard>
  )
}

/** How long after the block began, if it was not at once. */
function Offset({ line, start }: { readonly line: StatusLine; readonly start: number }) {
  const offset = durationBetween(start, line.at)
  return offset === undefined ? undefined : <span className="mr-time">{durationText(offset)}</span>
}
