import type { ChatEvent, TodosSegment } from '@millrace/core/fold'
import { Icon } from '../icon.tsx'
import { numberText } from '../numbers.ts'
import { Pips, planCounts } from '../segments/plan.tsx'
import { useViewContext } from '../view-context.ts'

export interface PinnablePlan {
  readonly runId: string
  readonly segment: TodosSegment
}

/** The plan of the newest answer, while some of it is to be done. */
export function planIn(events: readonly ChatEvent[]): PinnablePlan | undefined {
  const start = events.findLastIndex(({ role }) => role === 'user')
  const event = events.slice(start + 1).findLast(({ segments }) => segments.some(isPlan))
  const segment = event?.segments.findLast(isPlan)
  if (event === undefined || segment === undefined || planCounts(segment).isSettled) return undefined
  return { runId: event.runId, segment }
}

const isPlan = (segment: ChatEvent['segments'][number]): segment is TodosSegment => segment.type === 'todos'

interface PinnedPlanProps {
  readonly plan: PinnablePlan
  /** Scrolls to it. */
  readonly onShow: () => void
}

/** A plan that is out of view, as one line above the thread: how far it is, and what is done now. */
export function PinnedPlan({ plan: { segment }, onShow }: PinnedPlanProps) {
  const { labels } = useViewContext()
  const { done, counted } = planCounts(segment)
  const current = segment.items.find(({ status }) => status === 'in_progress')
  return (
    <button type="button" className="mr-pinned" onClick={onShow}>
      <Icon name="list" className="mr-glyph" />
      <span className="mr-label mr-strong">{labels.plan}</span>
      <span className="mr-time">{labels.planDone(numberText(done, labels), numberText(counted, labels))}</span>
      <Pips segment={segment} />
      <span className="mr-pinned-now mr-cut">{current?.content}</span>
      <span className="mr-end">
        <Icon name="arrow-up" />
      </span>
    </button>
  )
}
