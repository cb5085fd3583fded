import type { Log, StoredRun } from '../../log/log.ts'
import type { Spoken } from '../pauses.ts'

/**
 * A run is one message of a chat, and the message has the run's id. Where a client has run tools for it, the next run
 * goes on with the same message.
 */

/** The runs of a message, oldest first; none where there is no such message. */
export async function runsOfMessage(log: Log, threadId: string, messageId: string): Promise<readonly Spoken[]> {
  const all = await log.runs(threadId)
  const first = all.find(({ id }) => id === messageId)
  if (first === undefined) return []
  const spoken: Spoken[] = [{ run: first }]
  for (let run: StoredRun | undefined = first; run !== undefined; ) {
    run = await continuationOf(log, all, run, messageId)
    if (run !== undefined) spoken.push({ run, messageId })
  }
  return spoken
}

/** The newest run that goes on with a message after a run; a run continues only an older one, so this ends. */
async function continuationOf(log: Log, all: readonly StoredRun[], { id }: StoredRun, messageId: string) {
  for (const run of all.toReversed()) {
    if (run.afterRunId === id && run.id !== id && (await messageIdOf(log, run)) === messageId) return run
  }
  return undefined
}

/** The message that a run belongs to. */
export async function messageIdOf(log: Log, { id }: StoredRun): Promise<string> {
  for await (const [first] of log.read(id, { after: 0, live: false })) {
    const told = first?.event.meta?.millrace?.messageId
    return typeof told === 'string' ? told : id
  }
  return id
}
