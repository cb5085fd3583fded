import type { ToolSegment } from '@millrace/core/fold'
import { useState } from 'react'
import { DisclosureCard } from '../disclosure-card.tsx'
import { durationText } from '../durations.ts'
import { Icon } from '../icon.tsx'
import { countText } from '../numbers.ts'
import { summaryOf, totalDuration } from '../tools/summary.ts'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'
import { Tool } from './tool.tsx'

const ALL_UP_TO = 8
const FIRST = 5

/** Adjacent finished tools as one line. It opens by itself if the user has toggled one of them. */
export function ToolGroup({ tools, at }: { readonly tools: readonly ToolSegment[]; readonly at: number }) {
  const { toggles, scope, labels } = useViewContext()
  const [isWhole, setIsWhole] = useState(false)
  const hasToggledMember = tools.some(({ seqs }) => toggles.get(`${scope}:${seqs[0]}`) !== undefined)
  const disclosure = useDisclosure(`tools-${at}`, hasToggledMember)
  const shown = isWhole || hasToggledMember || tools.length <= ALL_UP_TO ? tools : tools.slice(0, FIRST)
  const total = totalDuration(tools)
  const facts = [
    countText(tools.length, labels.tools, labels),
    ...(total === undefined ? [] : [durationText(total, labels)]),
  ]
  return (
    <DisclosureCard
      className="mr-tool mr-group"
      disclosure={disclosure}
      icon={<Icon name="layers" className="mr-glyph" />}
      label={<span className="mr-label mr-cut">{summaryOf(tools, labels)}</span>}
      end={<span className="mr-time">{facts.join(' · ')}</span>}
    >
      <div className="mr-members">
        {shown.map((tool) => (
          <div key={tool.callId} data-seqs={tool.seqs.join('-')}>
            <Tool segment={tool} />
          </div>
        ))}
        {shown.length < tools.length && (
          <button type="button" className="mr-more" onClick={() => setIsWhole(true)}>
            {countText(tools.length - shown.length, labels.more, labels)}
          </button>
        )}
      </div>
    </DisclosureCard>
  )
}
