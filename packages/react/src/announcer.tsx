import type { ChatEvent } from '@millrace/core/fold'
import { useEffect, useRef, useState } from 'react'
import { announcementsOf } from './announcements.ts'
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
  const announcedKeys = useRef<Set<string>>(undefined)
  const [{ text, count }, setAnnouncement] = useState({ text: '', count: 0 })
  useEffect(() => {
    if (!isLoaded) {
      announcedKeys.current = undefined
      return
    }
    const announcements = announcementsOf(events, labels)
    const before = announcedKeys.current
    const fresh = before === undefined ? [] : [...announcements].filter(([key]) => !before.has(key))
    announcedKeys.current = new Set([...(before ?? []), ...announcements.keys()])
    if (fresh.length === 0) return
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
