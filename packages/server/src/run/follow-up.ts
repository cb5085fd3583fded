import type { Log, StoredRun } from '../log/log.ts'
import type { Agent } from './agent.ts'
import { historyOf } from './history.ts'
import { type Beginning, inputsBy, runStart } from './start.ts'
import type { SteerCommand } from './steering.ts'
import { steeringMessage } from './user-message.ts'

/** How a run begins that gets what the run before it did not take: each message as it was, in order. */
export async function followUpOf(log: Log, agent: Agent, run: StoredRun): Promise<Beginning> {
  const { threadId, afterRunId } = run
  const messages = afterRunId === undefined ? [] : await untakenIn(log, afterRunId)
  const history = await historyOf(log, threadId, afterRunId)
  const events = [runStart(agent, history), ...messages.flatMap(steeringMessage)]
  return {
    input: { text: messages.map(({ text }) => text).join('\n\n'), files: messages.flatMap(({ files = [] }) => files) },
    history,
    firstInputs: inputsBy('server', events),
  }
}

async function untakenIn(log: Log, runId: string): Promise<readonly SteerCommand[]> {
  const commands = await log.commands(runId, { after: 0 })
  const left = new Map(
    commands.flatMap(({ command, result }) =>
      command.type === 'steer' && result?.state === 'applied' ? [[command.messageId, command]] : [],
    ),
  )
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const { event } of entries) {
      const isTaken = event.type === 'message-start' && event.role === 'user'
      const isDropped = event.type === 'control' && event.dropped === true
      if (isTaken || isDropped) left.delete(event.messageId ?? '')
    }
  }
  return [...left.values()]
}
