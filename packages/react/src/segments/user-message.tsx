import type { ChatEvent } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import { Pieces } from '../pieces-view.tsx'

interface UserMessageProps {
  readonly event: ChatEvent
  readonly actions: ReactNode
}

/** Filled, full width, and the heading of its turn. It says “You” only if it was sent through this server. */
export function UserMessage({ event, actions }: UserMessageProps) {
  return (
    <div className="mr-user-box">
      <div className="mr-user-head">
        <h2>{event.by === 'server' ? 'You' : 'User'}</h2>
        <TimeOfDay at={event.startedAt} />
        {actions !== undefined && <span className="mr-user-actions">{actions}</span>}
      </div>
      <Pieces segments={event.segments} />
    </div>
  )
}

function TimeOfDay({ at }: { readonly at: number }) {
  if (at === 0) return undefined
  const time = new Date(at)
  const text = [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  return (
    <time dateTime={time.toISOString()} suppressHydrationWarning>
      {text}
    </time>
  )
}
