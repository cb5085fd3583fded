import { ApiError, type ClientOutput } from '@millrace/core/api'
import type { JsonObject } from '@millrace/core/json'
import type { Log, StoredRun } from '../log/log.ts'

import { openCallsIn } from '../run/client-outputs.ts'
import { chatEventsOf } from '../run/history.ts'
import { agentNamed } from './routes/runs.ts'
import type { Services } from './services.ts'

export interface ReturnedOutputs {
  readonly threadId: string
  readonly outputs: readonly ClientOutput[]
  /** The runs that may have left the calls open, oldest first. */
  readonly runs: readonly StoredRun[]
  /** The agent of the next run, if the run that made the calls was not an agent's of this server. */
  readonly agent: string | undefined
  readonly runId?: string
  /** The client's message that the next run continues. */
  readonly messageId?: string
  /** What the client sent beside the outputs. */
  readonly client?: JsonObject
}

/**
 * Starts the run that takes the outputs of tools which a run left to the client. Outputs that are sent again start no second
 * run.
 */
export async function continueWithOutputs({ log, runs: all }: Services, returned: ReturnedOutputs): Promise<StoredRun> {
  const { threadId, runs, outputs, runId, messageId, client } = returned
  for (const run of runs.toReversed()) {
    const open = await openCalls(log, run)
    const toolOutputs = outputs.filter(({ callId }) => open.has(callId))
    if (toolOutputs.length === 0) continue
    if (run.state !== 'ended')
      throw new ApiError(409, 'run-live', 'The run that waits for these outputs has not ended.')
    const next = await all.start({
      threadId,
      agent: run.agent ?? agentNamed(all, returned.agent).name,
      input: { text: '', toolOutputs, ...(client && { client }) },
      afterRunId: run.id,
      idempotencyKey: `outputs:${run.id}:${toolOutputs.map(({ callId }) => callId).join(' ')}`,
      ...(runId !== undefined && { runId }),
      ...(messageId !== undefined && { messageId }),
    })
    return (await log.run(next.id)) ?? next
  }
  throw new ApiError(409, 'not-open', 'No call waits for these outputs.')
}

/** Those of the outputs that a run still waits for. */
export async function openOutputs(
  log: Log,
  runId: string,
  outputs: readonly ClientOutput[],
): Promise<readonly ClientOutput[]> {
  const run = outputs.length === 0 ? undefined : await log.run(runId)
  if (run?.state !== 'ended') return []
  const open = await openCalls(log, run)
  return outputs.filter(({ callId }) => open.has(callId))
}

async function openCalls(log: Log, { id: runId, state, outcome }: StoredRun): Promise<ReadonlyMap<string, unknown>> {
  // Every other outcome has closed what was open.
  if (state === 'ended' && outcome !== 'awaiting-input') return new Map()
  return openCallsIn(await chatEventsOf(log, runId))
}
