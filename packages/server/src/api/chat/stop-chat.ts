import type { StoppedConversation } from '@millrace/core/api'
import { z } from 'zod'
import type { Log, StoredRun } from '../../log/log.ts'
import { clientIdsIn } from '../branch.ts'
import type { Services } from '../services.ts'
import { stopConversation } from '../stop-conversation.ts'
import { runsOfMessage } from './message-runs.ts'

export const stopShape = z.object({
  messageId: z.string().max(1_000).optional(),
  by: z.string().max(200).optional(),
})

/** Stops a chat. `messageId` is the last message that the client has: an answer, or a question that has none yet. */
export function stopChat(
  services: Services,
  threadId: string,
  { messageId, by }: z.output<typeof stopShape>,
): Promise<StoppedConversation> {
  if (messageId === undefined) return stopConversation(services, { threadId, by })
  return stopConversation(services, { threadId, by, lastSeen: (runs) => lastRunOf(services.log, runs, messageId) })
}

/** A message may go on over several runs. */
async function lastRunOf(log: Log, runs: readonly StoredRun[], messageId: string): Promise<StoredRun | undefined> {
  const first = runs.find(({ id }) => id === messageId) ?? (await runAsking(log, runs, messageId))
  return first === undefined ? undefined : (await runsOfMessage(log, first.threadId, first.id)).at(-1)?.run
}

/** The newest run that answers a question of the client. */
async function runAsking(log: Log, runs: readonly StoredRun[], clientId: string): Promise<StoredRun | undefined> {
  for (const run of runs.toReversed()) if ((await clientIdsIn(log, run)).includes(clientId)) return run
  return undefined
}
