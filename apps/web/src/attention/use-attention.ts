import { englishLabels, type ThreadListStore, titleOf } from '@millrace/react'
import { useEffect, useState } from 'react'
import type { Router } from '../router.ts'
import { type Attention, createAttention } from './changes.ts'

interface AttentionServices {
  readonly threadList: ThreadListStore
  readonly router: Router
  /** The person wants the browser to say it, too. */
  readonly isNotifying: boolean
}

/** What has happened while the page was hidden, in words for its title; undefined while it is looked at. */
export function useAttention({ threadList, router, isNotifying }: AttentionServices): string | undefined {
  const [mark, setMark] = useState<string>()
  const [newsOf] = useState(createAttention)
  useEffect(() => {
    const look = () => {
      const rows = threadList.snapshot().threads.map(({ id, title, state, source }) => ({
        ...{ id, state },
        title: titleOf(title, source.format, englishLabels),
      }))
      const news = newsOf(rows)
      const last = news.at(-1)
      if (last === undefined || !document.hidden) return
      setMark(wordsOf(last))
      if (isNotifying) for (const each of news) notify(each, router)
    }
    look()
    return threadList.subscribe(look)
  }, [threadList, router, isNotifying, newsOf])
  useEffect(() => {
    const clear = () => !document.hidden && setMark(undefined)
    document.addEventListener('visibilitychange', clear)
    return () => document.removeEventListener('visibilitychange', clear)
  }, [])
  return mark
}

const wordsOf = ({ state }: Attention) => englishLabels.threadStatus[state]

/** One notification per thread: a newer one replaces it, also that of another tab. A click opens the thread. */
function notify(news: Attention, router: Router): void {
  const { threadId, title } = news
  try {
    const shown = new Notification(title, { body: wordsOf(news), tag: threadId })
    shown.addEventListener('click', () => {
      window.focus()
      router.go({ name: 'thread', threadId })
      shown.close()
    })
  } catch {
    // Some browsers on phones allow it only to service workers: the title of the page says it all the same.
  }
}
