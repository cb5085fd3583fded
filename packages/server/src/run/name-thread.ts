import type { Entry, StreamEvent } from '@millrace/core/events'
import { createFold, titleOfTalk } from '@millrace/core/fold'
import type { Log } from '../log/log.ts'

/** A thread without a title gets this one. */
export async function nameThread(log: Log, threadId: string, title: string): Promise<void> {
  const thread = await log.thread(threadId)
  if (thread?.title === '' && title !== '') await log.renameThread(threadId, title)
}

/** How many events a title is looked for in while they come. At the end of the run all of it is looked at. */
const WITHIN = 600

/**
 * Takes the events of a run that nobody has given a title, and calls `name` once, as soon as somebody has said something: a list of runs
 * that are under way says more than where they come from.
 */
export function createTitleWatch(runId: string, name: (title: string) => void): (event: StreamEvent) => void {
  const fold = createFold({ runId })
  let seq = 0
  return (event) => {
    if (seq >= WITHIN) return
    const entry: Entry = { seq: ++seq, at: 0, event, rawThrough: 0 }
    fold.push([entry])
    if (event.type !== 'block-end') return
    const title = titleOfTalk(fold.snapshot().chatEvents)
    if (title === undefined) return
    seq = WITHIN
    name(title.toWellFormed())
  }
}
