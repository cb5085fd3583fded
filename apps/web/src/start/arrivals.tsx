import { formatTitle, isRunning, type ThreadStatus, type ThreadSummary, useStore } from '@millrace/react'
import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'

/** More are in the list of threads. */
const MOST = 3

/** The streams of other programs that began while the start page was open: the one that somebody waits for is among them. */
export function Arrivals() {
  const threads = useArrivals()
  return (
    <div className="arrivals" role="status">
      {threads.map((thread) => (
        <Arrival key={thread.id} thread={thread} />
      ))}
    </div>
  )
}

function Arrival({ thread: { id, title, state, source } }: { readonly thread: ThreadSummary }) {
  const format = source.format === undefined ? 'A stream' : `A stream of ${formatTitle(source.format)}`
  const isArriving = isUnderWay(state)
  return (
    <Link to={{ name: 'thread', threadId: id }} className="arrival">
      <span className={`mr-state mr-state-${isArriving ? 'live' : 'done'}`} aria-hidden="true">
        {isArriving ? <span className="mr-dot" /> : <Icon name="check" />}
      </span>
      <span className="arrival-words mr-cut">
        <b>
          {format} {isArriving ? 'is arriving' : 'has arrived'}
        </b>
        {title !== '' && <span> · {title}</span>}
      </span>
      <span className="arrival-open">
        {isArriving ? 'Watch it' : 'Open it'}
        <Icon name="right" />
      </span>
    </Link>
  )
}

const isUnderWay = (state: ThreadStatus) => isRunning(state) || state === 'needs-you'

/** Newest first, as the list has them now. */
function useArrivals(): readonly ThreadSummary[] {
  const { threadList, reading } = useApp()
  const { threads } = useStore(threadList)
  const [arrived, setArrived] = useState<readonly string[]>([])
  useEffect(() => {
    // What was under way before is no news.
    const before = new Set<string>()
    const noteRunning = () => {
      for (const { id, state } of threadList.snapshot().threads) if (isUnderWay(state)) before.add(id)
    }
    noteRunning()
    return threadList.onChange((change) => {
      if (change.type === 'begun') noteRunning()
      if (change.type !== 'thread') return
      const { id, lastRun } = change.thread
      if (lastRun === undefined || lastRun.agent !== undefined || lastRun.state === 'ended') return
      if (before.has(id)) return
      setArrived((ids) => (ids.includes(id) ? ids : [id, ...ids]))
    })
  }, [threadList])
  const shown = arrived.filter((id) => !reading.has(id)).slice(0, MOST)
  return shown.flatMap((id) => threads.find((thread) => thread.id === id) ?? [])
}
