import type { Log, StoredRun } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import { createOwner, type KeepFile, type Owner } from './owner.ts'
import { type Restored, restore } from './restore.ts'
import { answerEvent, endEvent, stopEvent } from './server-events.ts'

/** Ends, stops and answers open runs that this process does not feed. The caller holds the run's lock. */
export interface UnownedRuns {
  /**
   * Ends the run as interrupted, dated like its last entry. The questions of a server's agent expire, because the agent
   * is gone; an ingested run that awaits an answer stays open.
   */
  interrupt(run: StoredRun): Promise<'ended' | 'awaiting'>
  stop(run: StoredRun, by: string | undefined): Promise<void>
  /** Logs the answer. The run of a server's agent ends, because the agent is gone; any other waits for its producer. */
  answer(run: StoredRun, approvalId: string, answer: ApprovalAnswer): Promise<'ended' | 'waiting' | 'not-asked'>
}

export interface UnownedRunsOptions {
  readonly log: Log
  readonly keepFile: KeepFile
  readonly report: (error: unknown, runId: string) => void
}

export function createUnownedRuns({ log, keepFile, report }: UnownedRunsOptions): UnownedRuns {
  function ownerOf(run: StoredRun, { position, rawRecords }: Restored, stamp: { readonly at?: number }): Owner {
    const onFailure = (error: unknown) => report(error, run.id)
    return createOwner({ log, run, position, rawRecords, keepFile, ...stamp, onFailure })
  }

  return {
    async interrupt(run) {
      const restored = await restore(log, run)
      if (run.agent === undefined && restored.position.isAwaiting()) return 'awaiting'
      await ownerOf(run, restored, { at: 0 }).close(endEvent('interrupted'))
      return 'ended'
    },
    async stop(run, by) {
      const owner = ownerOf(run, await restore(log, run), {})
      await owner.close(endEvent('cancelled'), [stopEvent(by)])
    },
    async answer(run, approvalId, answer) {
      const restored = await restore(log, run)
      const event = answerEvent(restored.position, approvalId, answer)
      if (event === undefined) return 'not-asked'
      const owner = ownerOf(run, restored, {})
      const canContinue = run.agent === undefined && restored.isReproduced
      await (canContinue ? owner.add([event]) : owner.close(endEvent('interrupted'), [event]))
      return canContinue ? 'waiting' : 'ended'
    },
  }
}
