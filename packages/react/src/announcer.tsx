import type { ChatEvent } from '@millrace/core/fold/shapes'
import { useEffect, useRef, useState } from 'react'
import { announcementsOf } from './announcements.ts'

/** The one polite live region of a thread: one announcement per finished block or approval, none for what was there before. */
export function Announcer({ events }: { readonly events: readonly ChatEvent[] }) {
  const heard = useRef<ReadonlySet<string>>(undefined)
  const [words, setWords] = useState('')
  useEffect(() => {
    const said = announcementsOf(events)
    const fresh = [...said].filter(([key]) => heard.current?.has(key) === false).map(([, text]) => text)
    heard.current = new Set(said.keys())
    if (fresh.length > 0) setWords(fresh.join('. '))
  }, [events])
  return (
    <div className="mr-unseen" role="status" aria-live="polite">
      {words}
    </div>
  )
}
