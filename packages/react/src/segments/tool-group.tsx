import type { ToolSegment } from '@millrace/core/fold/shapes'
import { useState } from 'react'
import { durationText } from '../durations.ts'
import { FoldCard } from '../fold-card.tsx'
import { Icon } from '../icon.tsx'
import { summaryOf, totalDuration } from '../tools/summary.ts'
import { useFold } from '../use-fold.ts'
import { useViewContext } from '../view-context.ts'
import { Tool } from './tool.tsx'

const ALL_UP_TO = 8
const FIRST = 5

/** Finished neighbours as one line. It never swallows a card that a person has touched. */
export function ToolGroup({ tools, at }: { readonly tools: readonly ToolSegment[]; readonly at: number }) {
  const { toggles, scope } = useViewContext()
  const [isWhole, setIsWhole] = useState(false)
  const holdsTouched = tools.some(({ seqs }) => toggles.get(`${scope}:${seqs[0]}`) !== undefined)
  const fold = useFold(`tools-${at}`, holdsTouched)
  const shown = isWhole || holdsTouched || tools.length <= ALL_UP_TO ? tools : tools.slice(0, FIRST)
  const total = totalDuration(tools)
  const facts = [`${tools.length} tools`, ...(total === undefined ? [] : [durationText(total)])]
  return (
    <FoldCard
      look="mr-tool mr-group"
      fold={fold}
      icon={<Icon name="layers" className="mr-glyph" />}
      label={<span className="mr-label mr-cut">{summaryOf(tools)}</span>}
      end={<span className="mr-time">{facts.join(' · ')}</span>}
    >
      <div className="mr-members">
        {shown.map((tool) => (
          <Tool key={tool.callId} segment={tool} />
        ))}
        {shown.length < tools.length && (
          <button type="button" className="mr-more" onClick={() => setIsWhole(true)}>
            {tools.length - shown.length} more
          </button>
        )}
      </div>
    </FoldCard>
  )
}
