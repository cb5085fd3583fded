import type { Log, StoredRun } from '../log/log.ts'
import type { Agent } from './agent.ts'
import { historyOf } from './history.ts'
import { messagesOf } from './run-messages.ts'
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
  const messages = await messagesOf(log, runId)
  return messages.flatMap(({ command, state }) => (state === 'waiting' ? [command] : []))
}
