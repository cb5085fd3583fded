import { clientToolsIn, mainRuns, newRunId, type RunInput } from '@millrace/core/api'
import type { EntryMaker, StreamEvent } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { READER_VERSION } from '@millrace/core/read'
import { LogError } from '../log/errors.ts'
import type { Log, NewRun, StoredRun } from '../log/log.ts'
import type { Agent, AgentRequest, ChildRun } from './agent.ts'
import { sessionBefore } from './agent-session.ts'
import { clientCallIdsIn, toolMessage, withOutputs, withoutRepeats } from './client-outputs.ts'
import { type AgentDrive, driveAgent } from './drive-agent.ts'
import { RunRefusal } from './errors.ts'
import { historyOf } from './history.ts'
import { nameThread } from './name-thread.ts'
import type { Node } from './node.ts'
import type { OwnedRuns } from './owned-runs.ts'
import { type AddedInput, createOwner, type KeepFile, type Owner } from './owner.ts'
import { createRunPosition, type RunPosition } from './run-position.ts'
import { createRunReader } from './run-reader.ts'
import type { Sleep, StartOptions } from './runs.ts'
import { titleOf, userMessage } from './user-message.ts'
import type { WorkFolders } from './work-folders.ts'

export interface StartContext {
  readonly log: Log
  readonly node: Node
  readonly ownedRuns: OwnedRuns
  readonly keepFile: KeepFile
  readonly sleep: Sleep
  readonly stopWithin: number
  readonly resumeWithin: number
  readonly report: (error: unknown, runId: string) => void
  readonly folders: WorkFolders
  readonly readFile: AgentRequest['file']
  /** Begins a run that is queued. */
  readonly beginQueued: (runId: string) => Promise<void>
  /** Begins a run for the agent of its parent. */
  readonly runAgent: (parent: StoredRun, name: string, task: string) => Promise<ChildRun>
}

/** Creates a run and starts its agent. Resolves when the person's message is durable. */
export async function startRun(context: StartContext, agent: Agent, start: StartOptions): Promise<StoredRun> {
  const { log, node } = context
  const { runId = newRunId(), threadId, idempotencyKey, requestHash, isAlone } = start
  const input = withoutRepeats(start.input)
  const afterRunId = await continuedBy(log, start)
  const history = await historyOf(log, threadId, afterRunId)
  const newRun = {
    ...newRunOf(agent, { id: runId, threadId, afterRunId }),
    ...(start.parentRunId !== undefined && { parentRunId: start.parentRunId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(requestHash !== undefined && { requestHash }),
    ...(isAlone && { isAlone }),
  }
  const outputs = availability(agent) ?? outputsFor(history, input)
  if (outputs instanceof RunRefusal) {
    // The run of an earlier, equal request may have given the outputs, or found the agent available.
    const repeated = await existingRun(log, newRun)
    if (repeated === undefined) throw outputs
    return begun(log, repeated)
  }
  const { run, isNew } = await node.use((owner) => log.createRun({ ...newRun, owner }))
  if (run.threadId !== threadId) throw new RunRefusal('wrong-thread', runId)
  if (!isNew) return begun(log, run)
  const firstInputs = [
    ...inputsBy('server', [runStart(agent, history, start.messageId)]),
    ...inputsBy('client', outputs),
    ...inputsBy('server', userMessage(input)),
  ]
  return beginRun(context, agent, run, { input, history: withOutputs(history, outputs), firstInputs })
}

function availability(agent: Agent): RunRefusal | undefined {
  const sentence = agent.unavailable?.()
  return sentence === undefined ? undefined : new RunRefusal('agent-unavailable', sentence)
}

function outputsFor(history: readonly ChatEvent[], input: RunInput): readonly StreamEvent[] | RunRefusal {
  try {
    return toolMessage(history, input)
  } catch (error) {
    if (error instanceof RunRefusal) return error
    throw error
  }
}

/** The run that has the id or the key. Nothing is created for an owner that was never a node. */
async function existingRun(log: Log, newRun: NewRun): Promise<StoredRun | undefined> {
  try {
    return (await log.createRun({ ...newRun, owner: '' })).run
  } catch (error) {
    if (error instanceof LogError && (error.code === 'unknown-node' || error.code === 'run-live')) return undefined
    throw error
  }
}

/** The run of a repeated request, once its first entries are durable. */
async function begun(log: Log, run: StoredRun): Promise<StoredRun> {
  if (run.seq > 0) return run
  for await (const _entries of log.read(run.id, { after: 0, live: true })) break
  return (await log.run(run.id)) ?? run
}

function newRunOf(agent: Agent, ids: { id: string; threadId: string; afterRunId: string | undefined }): NewRun {
  const { id, threadId, afterRunId } = ids
  return {
    id,
    threadId,
    ...(afterRunId !== undefined && { afterRunId }),
    agent: agent.name,
    format: agent.format,
    parserVersion: getParser(agent.format).version,
    readerVersion: READER_VERSION,
    attempt: 1,
  }
}

export const inputsBy = (by: EntryMaker, events: readonly StreamEvent[]): readonly AddedInput[] =>
  events.map((event) => ({ by, event }))

/** Names the client's calls of earlier runs: an agent may give a call an id that the client has already. */
export function runStart(agent: Agent, history: readonly ChatEvent[], messageId?: string): StreamEvent {
  const callIds = clientCallIdsIn(history)
  const millrace = { ...(messageId !== undefined && { messageId }), ...(callIds.length > 0 && { callIds }) }
  const meta = Object.keys(millrace).length === 0 ? {} : { meta: { millrace } }
  return { type: 'run-start', agent: agent.name, ...meta }
}

export interface Beginning extends Pick<AgentRequest, 'input' | 'history'> {
  readonly firstInputs: readonly AddedInput[]
}

/** Starts the agent of a run that this node owns and that has no entries yet. */
export async function beginRun(
  context: StartContext,
  agent: Agent,
  run: StoredRun,
  { firstInputs, ...asked }: Beginning,
): Promise<StoredRun> {
  const { log } = context
  await hostAgent(context, agent, run, {
    position: createRunPosition(createRunReader(run)),
    rawRecords: 0,
    prepare: () => requestOf(context, agent, run, asked),
    async log(owner) {
      // Not earlier: a refused start must leave nothing behind, and the log creates the thread with its run.
      await nameThread(log, run.threadId, titleOf(asked.input))
      await owner.addInputs(firstInputs)
    },
  })
  return (await log.run(run.id)) ?? run
}

export interface Hosting extends Pick<AgentDrive, 'prepare'> {
  readonly position: RunPosition
  readonly rawRecords: number
  /** Adds what precedes everything of the agent. */
  readonly log: (owner: Owner) => Promise<void>
}

/** Feeds a run that this node owns from its agent. Resolves when what comes first is durable. */
export async function hostAgent(
  context: StartContext,
  agent: Agent,
  run: StoredRun,
  { position, rawRecords, prepare, log: logFirst }: Hosting,
): Promise<void> {
  const { log, ownedRuns, keepFile, sleep, stopWithin, resumeWithin, report } = context
  const { id: runId, threadId } = run
  let nextRunId: string | undefined
  const live = driveAgent({
    agent,
    log,
    prepare,
    runAgent: (name, task) => context.runAgent(run, name, task),
    createOwner(options) {
      const followUp = (idempotencyKey: string) => {
        nextRunId = newRunId()
        return { ...newRunOf(agent, { id: nextRunId, threadId, afterRunId: runId }), idempotencyKey }
      }
      return createOwner({ log, run, position, rawRecords, keepFile, followUp, ...options })
    },
    stopWithin,
    sleep,
  })
  try {
    await logFirst(live.owner)
  } catch (error) {
    void ownedRuns.release({ run }, resumeWithin)
    throw error
  }
  ownedRuns
    .host(live)
    .then(() => (nextRunId === undefined ? undefined : context.beginQueued(nextRunId)))
    .catch((error: unknown) => report(error, runId))
}

type Prepared = Omit<AgentRequest, 'signal'>

/** Most agents need nothing that must be looked up: they begin at once. */
export function requestOf(
  context: StartContext,
  agent: Agent,
  run: StoredRun,
  asked: Pick<Beginning, 'input' | 'history'>,
): Prepared | Promise<Prepared> {
  const { folders, readFile } = context
  const clientTools = clientToolsIn(asked.input.client)
  const { id: runId, threadId, attempt } = run
  const request = { runId, threadId, attempt, ...asked, clientTools, file: readFile }
  const isPlain = agent.can?.session === undefined && agent.cwd === undefined
  return isPlain ? { ...request, cwd: folders.project } : withFolder(context, agent, run, request)
}

async function withFolder(
  { log, folders }: StartContext,
  agent: Agent,
  run: StoredRun,
  request: Omit<Prepared, 'cwd'>,
): Promise<Prepared> {
  const last = agent.can?.session === undefined ? undefined : await sessionBefore(log, run)
  // A conversation belongs to its folder: without the folder the agent begins a new one.
  if (last === undefined || !(await folders.has(last.cwd))) {
    return { ...request, cwd: await folders.folderFor(agent.cwd, run.threadId) }
  }
  const { cwd, ...session } = last
  return { ...request, cwd, session }
}

/** The run that a new one continues: the named one, otherwise the thread's newest. */
async function continuedBy(log: Log, start: StartOptions): Promise<string | undefined> {
  const { threadId, afterRunId, isFirst, parentRunId } = start
  if (isFirst || parentRunId !== undefined) return undefined
  const runs = await log.runs(threadId)
  if (afterRunId === undefined) return mainRuns(runs).at(-1)?.id
  if (!runs.some(({ id }) => id === afterRunId)) throw new RunRefusal('unknown-run', afterRunId)
  return afterRunId
}
