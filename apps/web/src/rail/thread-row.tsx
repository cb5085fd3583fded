import { Link } from '../link.tsx'
import type { ThreadSummary } from '../threads/summary.ts'
import { stateWords } from '../threads/thread-state.ts'
import { agoText } from '../words/time.ts'
import { StateGlyph } from './state-glyph.tsx'

interface ThreadRowProps {
  readonly thread: ThreadSummary
  readonly isCurrent: boolean
  readonly now: number
  readonly onFollow: () => void
}

export function ThreadRow({ thread, isCurrent, now, onFollow }: ThreadRowProps) {
  const { id, title, state, facts, updatedAt } = thread
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
          <span className="mr-unseen">{stateWords[state]}. </span>
          {facts}
        </span>
      </Link>
    </li>
  )
}
