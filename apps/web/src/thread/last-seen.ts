import type { ChatEvent } from '@millrace/core/fold'
import type { SeenUpTo } from '@millrace/react'
import { useEffect, useRef, useState } from 'react'

const KEY = 'millrace-seen'

/** Threads that were read longest ago are forgotten. */
const MOST = 60

type Seen = { readonly [threadId: string]: SeenUpTo }

function readAll(): Seen {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Seen) : {}
  } catch {
    // Another program's text, or a browser that keeps nothing.
    return {}
  }
}

function write(threadId: string, seen: SeenUpTo): void {
  const { [threadId]: _before, ...others } = readAll()
  const kept = [...Object.entries(others), [threadId, seen] as const].slice(-MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // Then nothing is marked at the next visit.
  }
}

/** The last entry that this browser has shown of a thread before the page was opened. It is noted when the page is left. */
export function useLastSeen(threadId: string, events: readonly ChatEvent[]): SeenUpTo | undefined {
  const [seen] = useState(() => readAll()[threadId])
  const shown = useRef(events)
  shown.current = events
  useEffect(() => {
    const note = () => {
      const last = shown.current.at(-1)
      if (last !== undefined && last.seqs[1] > 0) write(threadId, { runId: last.runId, seq: last.seqs[1] })
    }
    const onHide = () => document.visibilityState === 'hidden' && note()
    addEventListener('pagehide', note)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      note()
      removeEventListener('pagehide', note)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [threadId])
  return seen
}
