import { useApp } from '../app-context.ts'
import { Icon, type IconName } from '../icon.tsx'
import { Link } from '../navigation.tsx'
import { factsText, type ThreadSummary } from '../threads/summary.ts'
import { statusTexts, type ThreadStatus } from '../threads/thread-status.ts'
import { agoText } from '../words/time.ts'

interface ThreadRowProps {
  readonly thread: ThreadSummary
  readonly isCurrent: boolean
  readonly now: number
  readonly onFollow: () => void
}

export function ThreadRow({ thread, isCurrent, now, onFollow }: ThreadRowProps) {
  const { id, title, state, updatedAt } = thread
  const { agents = [] } = useApp()
  return (
    <li>
      <Link
        to={{ name: 'thread', threadId: id }}
        className="thread-row"
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onFollow}
      >
        <StateGlyph state={state} />
        <span className="thread-title mr-cut">{title}</span>
        <time className="thread-when" dateTime={new Date(updatedAt).toISOString()}>
          {agoText(updatedAt, now)}
        </time>
        <span className="thread-facts mr-cut">
          <span className="mr-unseen">{statusTexts[state]}. </span>
          {factsText(thread, agents)}
        </span>
      </Link>
    </li>
  )
}

const icons: { readonly [State in ThreadStatus]?: IconName } = {
  'needs-you': 'ask',
  'handed-over': 'handed-over',
  done: 'check',
  failed: 'failed',
  stopped: 'slash',
}

/** Colour is state; its text is beside it or for screen readers. */
export function StateGlyph({ state }: { readonly state: ThreadStatus }) {
  const icon = icons[state]
  return (
    <span className={`glyph glyph-${state}`} aria-hidden="true">
      {icon === undefined ? <span className="dot" /> : <Icon name={icon} />}
    </span>
  )
}
