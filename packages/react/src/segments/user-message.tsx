import type { ChatEvent } from '@millrace/core/fold'
import { type ReactNode, useSyncExternalStore } from 'react'
import { timeText } from '../numbers.ts'
import { Pieces } from '../pieces-view.tsx'
import { useViewContext } from '../view-context.ts'

interface UserMessageProps {
  readonly event: ChatEvent
  readonly actions: ReactNode
}

/** Filled, full width, and the heading of its turn. It says “You” only if it was sent through this server. */
export function UserMessage({ event, actions }: UserMessageProps) {
  const { labels } = useViewContext()
  return (
    <div className="mr-user-box">
      <div className="mr-user-head">
        <h2>{event.by === 'server' ? labels.you : labels.user}</h2>
        <TimeOfDay at={event.startedAt} />
        {actions !== undefined && <span className="mr-user-actions">{actions}</span>}
      </div>
      <Pieces segments={event.segments} />
    </div>
  )
}

/** Blank in the HTML of a server, which does not know the time zone of the reader. */
function TimeOfDay({ at }: { readonly at: number }) {
  const { labels } = useViewContext()
  const text = useSyncExternalStore(subscribeToNothing, () => timeText(at, labels), blank)
  if (at === 0) return undefined
  return <time dateTime={new Date(at).toISOString()}>{text}</time>
}

const subscribeToNothing = () => () => {}
const blank = () => ''
