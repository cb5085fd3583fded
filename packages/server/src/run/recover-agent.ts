import { type RunInput, storedFileId } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import { isJsonObject } from '@millrace/core/json'
import type { Log, StoredRun } from '../log/log.ts'
import type { Agent } from './agent.ts'
import { chatEventsOf, historyOf } from './history.ts'
import type { Restored } from './restore.ts'
import { hostAgent, requestOf, type StartContext } from './start.ts'

/** Whether the agent goes on with a run that nobody feeds any more: it waits for an answer, and the log says how far it is. */
export const canGoOn = (agent: Agent | undefined, { position, isReproduced }: Restored): boolean =>
  agent?.can?.recover === true && isReproduced && position.isAwaiting()

/** Marks in the log where another attempt begins: what was running before it runs no more. */
const RESUME: StreamEvent = { type: 'control', action: 'resume', by: 'server' }

/** Starts the agent of a run again that this node has acquired. Its answers and stops follow the mark. */
export async function recoverAgent(
  context: StartContext,
  agent: Agent,
  run: StoredRun,
  { position, rawRecords }: Restored,
): Promise<void> {
  const { log } = context
  await hostAgent(context, agent, run, {
    position,
    rawRecords,
    prepare: async () => requestOf(context, agent, run, await askedOf(log, run)),
    log: (owner) => owner.add([RESUME]),
  })
}

/** What the agent was asked, from the log. */
async function askedOf(log: Log, run: StoredRun) {
  const own = await chatEventsOf(log, run.id)
  return { input: inputOf(own), history: await historyOf(log, run.threadId, run.afterRunId) }
}

function inputOf(chatEvents: readonly ChatEvent[]): RunInput {
  const firstAnswer = chatEvents.findIndex(({ role }) => role === 'assistant')
  const asked = chatEvents.slice(0, firstAnswer === -1 ? chatEvents.length : firstAnswer)
  const segments = asked.filter(({ role }) => role === 'user').flatMap((message) => message.segments)
  const texts = segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : []))
  const files = segments.flatMap((segment) => {
    const id = segment.type === 'file' ? storedFileId(segment.url) : undefined
    if (segment.type !== 'file' || id === undefined) return []
    const { mediaType, filename } = segment
    return [{ id, mediaType, ...(filename !== undefined && { filename }) }]
  })
  const client = asked.map(({ meta }) => meta?.millrace?.client).find(isJsonObject)
  return { text: texts.join('\n\n'), files, ...(client !== undefined && { client }) }
}
