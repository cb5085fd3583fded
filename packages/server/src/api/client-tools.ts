import { ApiError } from '@millrace/core/api/api-error'
import type { ClientOutput } from '@millrace/core/api/api-types'
import type { Log, StoredRun } from '../log/log.ts'

import { openCallsIn } from '../run/client-outputs.ts'
import { chatEventsOf } from '../run/history.ts'
import { agentNamed } from './routes/runs.ts'
import type { Services } from './services.ts'

export interface BroughtBack {
  readonly threadId: string
  readonly outputs: readonly ClientOutput[]
  /** The runs that may have left the calls open, oldest first. */
  readonly runs: readonly StoredRun[]
  /** Who goes on where the run that asked was no agent's of ours. */
  readonly agent: string | undefined
  readonly runId?: string
  /** The client's message that is gone on with. */
  readonly messageId?: string
}

/**
 * A client has run tools that a run was left waiting for: the next run takes their outputs. What is brought back again
 * starts nothing twice.
 */
export async function goOnWithOutputs({ log, runs: all }: Services, brought: BroughtBack): Promise<StoredRun> {
  const { threadId, runs, outputs, runId, messageId } = brought
  for (const run of runs.toReversed()) {
    const open = await openCalls(log, run)
    const toolOutputs = outputs.filter(({ callId }) => open.has(callId))
    if (toolOutputs.length === 0) continue
    if (run.state !== 'ended')
      throw new ApiError(409, 'run-live', 'The run that waits for these outputs has not ended.')
    const next = await all.start({
      threadId,
      agent: run.agent ?? agentNamed(all, brought.agent).name,
      input: { text: '', toolOutputs },
      afterRunId: run.id,
      idempotencyKey: `outputs:${run.id}:${toolOutputs.map(({ callId }) => callId).join(' ')}`,
      ...(runId !== undefined && { runId }),
      ...(messageId !== undefined && { messageId }),
    })
    return (await log.run(next.id)) ?? next
  }
  throw new ApiError(409, 'not-open', 'No call waits for these outputs.')
}

async function openCalls(log: Log, { id: runId, state, outcome }: StoredRun): Promise<ReadonlyMap<string, unknown>> {
  // Every other outcome has closed what was open.
  if (state === 'ended' && outcome !== 'awaiting-input') return new Map()
  return openCallsIn(await chatEventsOf(log, runId))
}
