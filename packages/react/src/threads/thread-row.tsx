import type { AgentInfo } from '@millrace/core/client'
import type { MouseEvent } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { agoText } from '../times.ts'
import { useViewContext } from '../view-context.ts'
import { factsText, type ThreadSummary, titleOf } from './summary.ts'
import type { ThreadStatus } from './thread-status.ts'

interface ThreadRowProps {
  readonly thread: ThreadSummary
  readonly agents: readonly AgentInfo[]
  readonly isCurrent: boolean
  readonly now: number
  readonly href: string
  readonly onOpen: ((threadId: string) => void) | undefined
}

/** A real link: opening it in another tab and copying its address work as usual. */
export function ThreadRow({ thread, agents, isCurrent, now, href, onOpen }: ThreadRowProps) {
  const { id, title, state, source, updatedAt } = thread
  const { labels } = useViewContext()
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (onOpen === undefined || !isPlain) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <li>
      <a href={href} className="mr-thread-row" aria-current={isCurrent ? 'page' : undefined} onClick={follow}>
        <StateGlyph state={state} />
        <span className="mr-thread-title mr-cut">{titleOf(title, source.format, labels)}</span>
        <time className="mr-thread-when" dateTime={new Date(updatedAt).toISOString()}>
          {agoText(updatedAt, now, labels)}
        </time>
        <span className="mr-thread-facts mr-cut">
          <span className="mr-unseen">{labels.threadStatus[state]}. </span>
          {factsText(thread, agents, labels)}
        </span>
      </a>
    </li>
  )
}

const icons: { readonly [State in ThreadStatus]?: IconName } = {
  'needs-you': 'ask',
  'handed-over': 'handed-over',
  'left-open': 'ask',
  done: 'check',
  failed: 'cross-circle',
  stopped: 'slash',
  cancelled: 'slash',
}

/** Colour is state; its text is beside it or for screen readers. */
export function StateGlyph({ state }: { readonly state: ThreadStatus }) {
  const icon = icons[state]
  return (
    <span className={`mr-state mr-state-${state}`} aria-hidden="true">
      {icon === undefined ? <span className="mr-dot" /> : <Icon name={icon} />}
    </span>
  )
}
