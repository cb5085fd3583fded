import type { SubagentStatus } from '@millrace/core/events'
import type { SubagentSegment } from '@millrace/core/fold'
import { DisclosureCard } from '../disclosure-card.tsx'
import { durationOf, durationText } from '../durations.ts'
import { Elapsed } from '../elapsed.tsx'
import { firstSentence } from '../first-sentence.ts'
import { Icon, Spinner } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { countText } from '../numbers.ts'
import { Pieces } from '../pieces-view.tsx'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

/** The same cards, one rail deeper. Open while it is live or if it failed, else one line. */
export function Subagent({ segment }: { readonly segment: SubagentSegment }) {
  const { name, task, summary, state, segments, seqs } = segment
  const { isOver, labels } = useViewContext()
  const isLive = state === 'live' && !isOver
  const disclosure = useDisclosure(seqs[0], isLive || state === 'failed')
  return (
    <DisclosureCard
      className={`mr-subagent mr-subagent-${state}`}
      disclosure={disclosure}
      icon={<Icon name="branch" className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong mr-cut">{name}</span>
          <span className="mr-badge">{labels.subagent}</span>
          <span className="mr-quiet mr-cut">
            {!disclosure.isOpen && (firstSentence(summary ?? '') || firstSentence(task ?? ''))}
          </span>
        </>
      }
      end={<Facts segment={segment} isLive={isLive} />}
    >
      <div className="mr-nest">
        {task !== undefined && <p className="mr-task">{task}</p>}
        <Pieces segments={segments} hasNewer={state !== 'live'} />
        {summary !== undefined && summary.trim() !== '' && (
          <div className="mr-prose mr-summary">
            <Markdown text={summary} isLive={false} />
          </div>
        )}
      </div>
    </DisclosureCard>
  )
}

const endings = { failed: 'failed', cancelled: 'stopped', interrupted: 'interrupted' } as const satisfies {
  readonly [State in Exclude<SubagentStatus, 'done'>]: keyof Labels
}

function Facts({ segment, isLive }: { readonly segment: SubagentSegment; readonly isLive: boolean }) {
  const { labels } = useViewContext()
  const { state, segments, startedAt } = segment
  const tools = segments.filter(({ type }) => type === 'tool').length
  const duration = durationOf(segment)
  const facts = [
    ...(tools > 0 ? [countText(tools, labels.tools, labels)] : []),
    ...(duration === undefined ? [] : [durationText(duration, labels)]),
  ]
  if (isLive) {
    return (
      <>
        <Spinner />
        <span className="mr-time">{labels.running}</span>
        <Elapsed since={startedAt} />
      </>
    )
  }
  return (
    <>
      {state !== 'done' && state !== 'live' && (
        <span className={`mr-badge${state === 'failed' ? ' mr-bad' : ''}`}>{labels[endings[state]]}</span>
      )}
      <span className="mr-time">{facts.join(' · ')}</span>
    </>
  )
}
