import type { TodoStatus } from '@millrace/core/events'
import type { TodosSegment } from '@millrace/core/fold'
import { DisclosureCard, Unseen } from '../disclosure-card.tsx'
import { Icon, Spinner } from '../icon.tsx'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'

const statusPrefixes: { readonly [Status in TodoStatus]: string } = {
  pending: 'To do: ',
  in_progress: 'Now: ',
  completed: 'Done: ',
  cancelled: 'Dropped: ',
}

/** More pips than this are too thin to see: then only the count is shown. */
const MOST_PIPS = 12

/** One list, updated in place. A finished plan is one line. */
export function Plan({ segment }: { readonly segment: TodosSegment }) {
  const { items, seqs } = segment
  const isSettled = ({ status }: { readonly status: TodoStatus }) => status === 'completed' || status === 'cancelled'
  const done = items.filter(({ status }) => status === 'completed').length
  const counted = items.filter(({ status }) => status !== 'cancelled').length
  const disclosure = useDisclosure(seqs[0], !items.every(isSettled))
  return (
    <DisclosureCard
      className="mr-plan"
      disclosure={disclosure}
      icon={<Icon name="list" className="mr-glyph" />}
      label={<span className="mr-label mr-strong">Plan</span>}
      end={
        <>
          {items.length <= MOST_PIPS && (
            <span className="mr-pips" aria-hidden="true">
              {items.map(({ id, status }) => (
                <i key={id} className={`mr-pip-${status}`} />
              ))}
            </span>
          )}
          <span className="mr-time">
            {done} of {counted}
          </span>
        </>
      }
    >
      <ul className="mr-todos">
        {items.map(({ id, content, status }) => (
          <li key={id} className={`mr-todo-${status}`}>
            <Mark status={status} />
            <span>
              <Unseen>{statusPrefixes[status]}</Unseen>
              {content}
            </span>
          </li>
        ))}
      </ul>
    </DisclosureCard>
  )
}

function Mark({ status }: { readonly status: TodoStatus }) {
  const { isOver } = useViewContext()
  if (status === 'in_progress') return isOver ? <Icon name="cut" /> : <Spinner />
  return <Icon name={status === 'completed' ? 'done' : status === 'cancelled' ? 'cross-circle' : 'circle'} />
}
