import type { AgentInfo } from '@millrace/core/client'
import type { ReactNode } from 'react'
import { useNow } from '../times.ts'
import { useStore } from '../use-store.ts'
import { useContextWith, ViewContextProvider, type ViewSettings } from '../view-context.ts'
import { groupThreads } from './group-threads.ts'
import { OlderThreads } from './older-threads.tsx'
import type { ThreadListStore } from './thread-list-store.ts'
import { ThreadRow } from './thread-row.tsx'

export interface ThreadListProps extends Pick<ViewSettings, 'labels'> {
  readonly store: ThreadListStore
  /** Their titles name the threads' runs. */
  readonly agents?: readonly AgentInfo[]
  /** The id of the thread that is open. */
  readonly current?: string | undefined
  /** The address of a thread in the host. */
  readonly hrefOf: (threadId: string) => string
  /** Opens a thread in place of its link. */
  readonly onOpen?: (threadId: string) => void
  /** What is shown while the list cannot be read. */
  readonly trouble?: ReactNode
}

/** How often the ages are written anew. */
const AGES_MS = 15_000
const NONE: readonly AgentInfo[] = []

/** The threads by what they need, then by day, newest first. It scrolls, and loads older ones when its end is near. */
export function ThreadList(props: ThreadListProps) {
  const { store, agents = NONE, current, hrefOf, onOpen, trouble } = props
  const context = useContextWith(props)
  const { labels } = context
  const { threads, state, search, hasMore } = useStore(store)
  const now = useNow(AGES_MS)
  return (
    <ViewContextProvider value={context}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <div className="millrace mr-thread-list" data-state={state} tabIndex={0}>
        {state === 'failed' && trouble !== undefined && (
          <div className="mr-list-note mr-list-trouble" role="status">
            {trouble}
          </div>
        )}
        {state === 'ready' && threads.length === 0 && (
          <p className="mr-list-note">{search === '' ? labels.noThreads : labels.noThreadMatches(search)}</p>
        )}
        {groupThreads(threads, now, labels).map(({ title, threads: members }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {members.map((thread) => (
                <ThreadRow
                  key={thread.id}
                  thread={thread}
                  agents={agents}
                  isCurrent={thread.id === current}
                  now={now}
                  href={hrefOf(thread.id)}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          </section>
        ))}
        {hasMore && <OlderThreads store={store} hasFailed={state === 'failed'} />}
      </div>
    </ViewContextProvider>
  )
}
