import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useEffect, useRef, useState } from 'react'
import { announcementsOf } from './announcements.ts'

interface AnnouncerProps {
  readonly events: readonly ChatEvent[]
  /** False while the thread is being read: what is there once it has been read is not news. */
  readonly isLoaded?: boolean
}

/** The one polite live region of a thread: one announcement per finished block or approval that comes after it was loaded. */
export function Announcer({ events, isLoaded = true }: AnnouncerProps) {
  // Keys are only added: a view that is behind for a moment must not make old news new.
  const heard = useRef<Set<string>>(undefined)
  const [words, setWords] = useState('')
  useEffect(() => {
    if (!isLoaded) {
      heard.current = undefined
      return
    }
    const announcements = announcementsOf(events)
    const before = heard.current
    const fresh = before === undefined ? [] : [...announcements].filter(([key]) => !before.has(key))
    heard.current = new Set([...(before ?? []), ...announcements.keys()])
    if (fresh.length > 0) setWords(fresh.map(([, text]) => text).join('. '))
  }, [events, isLoaded])
  return (
    <div className="mr-unseen" role="status" aria-live="polite">
      {words}
    </div>
  )
}
