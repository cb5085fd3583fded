import { isRunning, type ThreadStatus, type ThreadSummary } from '@millrace/react'

type Row = Pick<ThreadSummary, 'id' | 'title' | 'state'>

/** A thread that a person waits for has come to an end, or to a question. */
export interface Attention {
  readonly threadId: string
  readonly title: string
  readonly state: ThreadStatus
}

/** States that are news for a person who looks elsewhere. What a person has stopped is none. */
const NEWS: readonly ThreadStatus[] = ['needs-you', 'handed-over', 'done', 'failed', 'interrupted', 'left-open']

const isOpen = (state: ThreadStatus) => isRunning(state) || state === 'needs-you'

/** Compares each list with the one before it. What the first list has is no news, and neither is a thread that was not seen to run. */
export function createAttention(): (rows: readonly Row[]) => readonly Attention[] {
  const states = new Map<string, ThreadStatus>()
  return (rows) => {
    const news = rows.flatMap(({ id, title, state }) => {
      const before = states.get(id)
      const isNews = before !== undefined && before !== state && isOpen(before) && NEWS.includes(state)
      return isNews ? [{ threadId: id, title, state }] : []
    })
    for (const { id, state } of rows) states.set(id, state)
    return news
  }
}
