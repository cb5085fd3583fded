import type { TodoStatus } from '@millrace/core/events'
import type { TodosSegment } from '@millrace/core/fold'
import { DisclosureCard, Unseen } from '../disclosure-card.tsx'
import { Icon, Spinner } from '../icon.tsx'
import { numberText } from '../numbers.ts'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

/** More pips than this are too thin to see: then only the count is shown. */
const MOST_PIPS = 12

/** One list, updated in place. A finished plan is one line. */
export function Plan({ segment }: { readonly segment: TodosSegment }) {
  const { labels } = useViewContext()
  const { items, seqs } = segment
  const { done, counted, isSettled } = planCounts(segment)
  const disclosure = useDisclosure(seqs[0], !isSettled)
  return (
    <DisclosureCard
      className="mr-plan"
      disclosure={disclosure}
      icon={<Icon name="list" className="mr-glyph" />}
      label={<span className="mr-label mr-strong">{labels.plan}</span>}
      end={
        <>
          <Pips segment={segment} />
          <span className="mr-time">{labels.planDone(numberText(done, labels), numberText(counted, labels))}</span>
        </>
      }
    >
      <ul className="mr-todos">
        {items.map(({ id, content, status }) => (
          <li key={id} className={`mr-todo-${status}`}>
            <Mark status={status} />
            <span>
              <Unseen>{labels.todoStatus[status]}</Unseen>
              {content}
            </span>
          </li>
        ))}
      </ul>
    </DisclosureCard>
  )
}

/** How far a plan is. What was dropped is not counted. */
export function planCounts({ items }: TodosSegment) {
  const done = items.filter(({ status }) => status === 'completed').length
  const counted = items.filter(({ status }) => status !== 'cancelled').length
  return { done, counted, isSettled: done === counted }
}

export function Pips({ segment: { items } }: { readonly segment: TodosSegment }) {
  if (items.length > MOST_PIPS) return undefined
  return (
    <span className="mr-pips" aria-hidden="true">
      {items.map(({ id, status }) => (
        <i key={id} className={`mr-pip-${status}`} />
      ))}
    </span>
  )
}

function Mark({ status }: { readonly status: TodoStatus }) {
  const { isOver } = useViewContext()
  if (status === 'in_progress') return isOver ? <Icon name="cut" /> : <Spinner />
  return <Icon name={status === 'completed' ? 'done' : status === 'cancelled' ? 'cross-circle' : 'circle'} />
}
