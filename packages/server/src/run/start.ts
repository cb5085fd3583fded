import { newRunId, type RunInput } from '@millrace/core/api'
import type { EntryMaker, StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { READER_VERSION } from '@millrace/core/read'
import type { Log, StoredRun } from '../log/log.ts'
import type { Agent, AgentRequest } from './agent.ts'
import { toolMessage, withOutputs, withoutRepeats } from './client-outputs.ts'
import { driveAgent } from './drive-agent.ts'
import { RunRefusal } from './errors.ts'
import { historyOf } from './history.ts'
import type { LiveRuns } from './live-runs.ts'
import { type AddedInput, createOwner, type KeepFile } from './owner.ts'
import type { RunLocks } from './run-locks.ts'
import { createRunPosition } from './run-position.ts'
import { createRunReader } from './run-reader.ts'
import type { Sleep, StartOptions } from './runs.ts'
import { titleOf, userMessage } from './user-message.ts'
import type { Waits } from './waits.ts'

export interface StartContext {
  readonly log: Log
  readonly runLocks: RunLocks
  readonly liveRuns: LiveRuns
  readonly waits: Waits
  readonly keepFile: KeepFile
  readonly sleep: Sleep
  readonly stopWithin: number
  readonly report: (error: unknown, runId: string) => void
}

/** Creates a run and starts its agent. Resolves when the person's message is durable. */
export function startRun(context: StartContext, agent: Agent, start: StartOptions): Promise<StoredRun> {
  const { log, runLocks } = context
  const { runId = newRunId(), threadId, idempotencyKey, requestHash } = start
  const input = withoutRepeats(start.input)
  return runLocks.take(runId, async () => {
    const afterRunId = await continuedBy(log, start)
    const history = await historyOf(log, threadId, afterRunId)
    const outputs = toolMessage(history, input.toolOutputs ?? [])
    const { run, isNew } = await log.createRun({
      id: runId,
      threadId,
      ...(afterRunId !== undefined && { afterRunId }),
      agent: agent.name,
      format: agent.format,
      parserVersion: getParser(agent.format).version,
      readerVersion: READER_VERSION,
      attempt: 1,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(requestHash !== undefined && { requestHash }),
    })
    if (run.threadId !== threadId) throw new RunRefusal('wrong-thread', runId)
    if (!isNew) return run
    const firstInputs = [
      ...inputsBy('server', [runStart(agent, start)]),
      ...inputsBy('client', outputs),
      ...inputsBy('server', userMessage(input)),
    ]
    return begin(context, agent, run, { input, history: withOutputs(history, outputs), firstInputs })
  })
}

const inputsBy = (by: EntryMaker, events: readonly StreamEvent[]): readonly AddedInput[] =>
  events.map((event) => ({ by, event }))

function runStart(agent: Agent, { messageId }: StartOptions): StreamEvent {
  const meta = messageId === undefined ? {} : { meta: { millrace: { messageId } } }
  return { type: 'run-start', agent: agent.name, ...meta }
}

interface Beginning extends Pick<AgentRequest, 'input' | 'history'> {
  readonly firstInputs: readonly AddedInput[]
}

async function begin(context: StartContext, agent: Agent, run: StoredRun, beginning: Beginning): Promise<StoredRun> {
  const { log, liveRuns, waits, keepFile, sleep, stopWithin, report } = context
  const { id: runId, threadId } = run
  const { input, history, firstInputs } = beginning
  const live = driveAgent({
    agent,
    request: { runId, threadId, input, history },
    createOwner(onFailure) {
      const position = createRunPosition(createRunReader(run))
      return createOwner({ log, run, position, rawRecords: 0, keepFile, onFailure })
    },
    stopWithin,
    sleep,
  })
  try {
    // Not earlier: a refused start must leave nothing behind, and the log creates the thread with its run.
    await nameThread(log, threadId, input)
    await live.owner.addInputs(firstInputs)
  } catch (error) {
    waits.begin(runId)
    throw error
  }
  liveRuns.host(live).catch((error: unknown) => report(error, runId))
  return (await log.run(runId)) ?? run
}

/** A thread without a title gets one from its first input. */
async function nameThread(log: Log, threadId: string, input: RunInput): Promise<void> {
  const title = titleOf(input)
  const thread = await log.thread(threadId)
  if (thread?.title === '' && title !== '') await log.renameThread(threadId, title)
}

/** The run that a new one continues: the named one, otherwise the thread's newest. */
async function continuedBy(log: Log, { threadId, afterRunId, isFirst }: StartOptions): Promise<string | undefined> {
  if (isFirst) return undefined
  const runs = await log.runs(threadId)
  if (afterRunId === undefined) return runs.findLast(({ parentRunId }) => parentRunId === undefined)?.id
  if (!runs.some(({ id }) => id === afterRunId)) throw new RunRefusal('unknown-run', afterRunId)
  return afterRunId
}
