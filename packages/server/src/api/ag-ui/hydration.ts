import type { JsonObject } from '@millrace/core/json'
import type { Log } from '../../log/log.ts'
import { type HistoryPage, liveIn, loadThread } from '../history.ts'
import type { WireChoice } from '../pauses.ts'
import { openQuestions } from './snapshot.ts'
import { tanstackMessages } from './tanstack-messages.ts'

/** What TanStack's client asks for when its page is opened. */
interface Hydration {
  readonly messages: readonly JsonObject[]
  /** The run that the client joins. */
  readonly activeRun: { readonly runId: string } | null
  /** The questions that a run waits with; then there is nothing to join. */
  readonly interrupts: JsonObject | null
  readonly page: { readonly truncated: false } | { readonly truncated: true; readonly cursor: string }
}

/** A thread as TanStack's client loads it. One that does not exist yet has nothing: the client asks before its first message. */
export async function hydrationOf(
  log: Log,
  threadId: string,
  page: Pick<HistoryPage, 'limit' | 'before'>,
  choice: WireChoice,
): Promise<Hydration> {
  const live = liveIn(await log.runs(threadId))
  const pause = live === undefined ? undefined : await openQuestions(log, live, choice)
  const { messages, next } = await loadThread(log, threadId, choice, { ...page, hasLive: pause !== undefined })
  const isJoined = live !== undefined && pause === undefined
  return {
    messages: tanstackMessages(messages),
    activeRun: isJoined ? { runId: live.id } : null,
    interrupts: pause === undefined ? null : { runId: pause.runId, pending: pause.outcome.interrupts ?? [] },
    page: next === undefined ? { truncated: false } : { truncated: true, cursor: next },
  }
}
