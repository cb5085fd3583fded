import type { ChatEvent } from '@millrace/core/fold'
import { useEffect, useRef, useState } from 'react'
import { announcementsOf, changedSince } from './announcements.ts'
import { useContextWith, type ViewSettings } from './view-context.ts'

export interface AnnouncerProps extends Pick<ViewSettings, 'labels'> {
  readonly events: readonly ChatEvent[]
  /** False while the thread is being read: what is there once it is read is not announced. */
  readonly isLoaded?: boolean
}

/** The polite live region of a thread: one announcement per finished block or approval after the thread was loaded. */
export function Announcer({ events, isLoaded = true, ...settings }: AnnouncerProps) {
  const { labels } = useContextWith(settings)
  // Keys are only added: a view that is briefly out of date must not announce anything twice.
  const announcedKeys = useRef(new Set<string>())
  const eventsBefore = useRef<readonly ChatEvent[]>(undefined)
  const [{ text, count }, setAnnouncement] = useState({ text: '', count: 0 })
  useEffect(() => {
    if (!isLoaded) {
      announcedKeys.current.clear()
      eventsBefore.current = undefined
      return
    }
    const before = eventsBefore.current
    const announcements = announcementsOf(changedSince(before ?? [], events), labels)
    const fresh = [...announcements].filter(([key]) => !announcedKeys.current.has(key))
    for (const [key] of fresh) announcedKeys.current.add(key)
    eventsBefore.current = events
    if (before === undefined || fresh.length === 0) return
    const freshText = fresh.map(([, each]) => each).join('. ')
    setAnnouncement((last) => ({ text: freshText, count: last.count + 1 }))
  }, [events, isLoaded, labels])
  return (
    <div className="mr-unseen" role="status" aria-live="polite">
      {/* A new element each time: the same words twice are two announcements. */}
      <span key={count}>{text}</span>
    </div>
  )
}
