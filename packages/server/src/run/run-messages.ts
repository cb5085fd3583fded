import type { Log } from '../log/log.ts'
import type { SteerCommand } from './steering.ts'

/** A message of a person to a run, and what the log of that run says about it. */
export interface LoggedMessage {
  readonly command: SteerCommand
  readonly state: 'waiting' | 'taken' | 'taken-back' | 'dropped'
}

/** The messages that the run has accepted, in the order in which they were sent. */
export async function messagesOf(log: Log, runId: string): Promise<readonly LoggedMessage[]> {
  const commands = await log.commands(runId, { after: 0 })
  const applied = commands.flatMap(({ command, result }) => (result?.state === 'applied' ? [command] : []))
  const sent = applied.filter((command) => command.type === 'steer')
  // Most runs have none: they are not read.
  if (sent.length === 0) return []
  const takenBack = new Set(applied.flatMap((command) => (command.type === 'take-back' ? [command.messageId] : [])))
  const states = new Map<string, LoggedMessage['state']>()
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const { event } of entries) {
      const { messageId = '' } = event
      if (event.type === 'message-start' && event.role === 'user') states.set(messageId, 'taken')
      if (event.type !== 'control' || event.dropped !== true) continue
      states.set(messageId, takenBack.has(messageId) ? 'taken-back' : 'dropped')
    }
  }
  return sent.map((command) => ({ command, state: states.get(command.messageId) ?? 'waiting' }))
}
