import type { Entry } from '@millrace/core/events'
import type { Log, StoredRun } from '../../log/log.ts'
import type { MessageRun } from '../pauses.ts'

/**
 * A run is one message of a chat, and the message has the run's id. If the client ran tools for it, the next run continues
 * the same message.
 */

/** The runs of a message, oldest first; empty if there is no such message. */
export async function runsOfMessage(log: Log, threadId: string, messageId: string): Promise<readonly MessageRun[]> {
  const all = await log.runs(threadId)
  const first = all.find(({ id }) => id === messageId)
  if (first === undefined) return []
  const messageRuns: MessageRun[] = [{ run: first }]
  for (let run: StoredRun | undefined = first; run !== undefined; ) {
    run = await continuationOf(log, all, run, messageId)
    if (run !== undefined) messageRuns.push({ run, messageId })
  }
  return messageRuns
}

/** The newest run that continues a message after a run. A run continues only an older one, so the search ends. */
async function continuationOf(log: Log, all: readonly StoredRun[], { id }: StoredRun, messageId: string) {
  for (const run of all.toReversed()) {
    if (run.afterRunId === id && run.id !== id && (await messageIdOf(log, run)) === messageId) return run
  }
  return undefined
}

/** The message that a run belongs to. */
export async function messageIdOf(log: Log, { id }: StoredRun): Promise<string> {
  for await (const [first] of log.read(id, { after: 0, live: false })) {
    return (first === undefined ? undefined : messageIdIn(first)) ?? id
  }
  return id
}

/** The message that a run continues, from its first entry; undefined if it begins its own. */
export function messageIdIn({ event }: Entry): string | undefined {
  const messageId = event.meta?.millrace?.messageId
  return typeof messageId === 'string' ? messageId : undefined
}
