import type { Log, StoredRun } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import { createOwner, type Owner } from './owner.ts'
import { type Restored, restore } from './restore.ts'
import { answerWord, endWord, stopWord } from './words.ts'

/** What can be done with an open run that nobody in this process feeds. The caller holds the run's turn. */
export interface Unowned {
  /**
   * Ends the run as interrupted, dated like its last entry. The questions of an own agent expire with it, because nobody is
   * left to hear the answer; an ingested run that awaits an answer stays open.
   */
  interrupt(run: StoredRun): Promise<'ended' | 'awaiting'>
  stop(run: StoredRun, by: string | undefined): Promise<void>
  /** Logs the answer. An own agent's run ends with it, because the agent is gone; another waits for its producer. */
  answer(run: StoredRun, approvalId: string, answer: ApprovalAnswer): Promise<'ended' | 'waiting' | 'not-asked'>
}

export interface UnownedOptions {
  readonly log: Log
  readonly report: (error: unknown, runId: string) => void
}

export function createUnowned({ log, report }: UnownedOptions): Unowned {
  function own(run: StoredRun, { progress, rawRecords }: Restored, stamp: { readonly at?: number }): Owner {
    return createOwner({ log, run, progress, rawRecords, ...stamp, onFailure: (error) => report(error, run.id) })
  }

  return {
    async interrupt(run) {
      const restored = await restore(log, run)
      if (run.agent === undefined && restored.progress.isAwaiting()) return 'awaiting'
      await own(run, restored, { at: 0 }).close(endWord('interrupted'))
      return 'ended'
    },
    async stop(run, by) {
      const owner = own(run, await restore(log, run), {})
      await Promise.all([owner.add([stopWord(by)]), owner.close(endWord('cancelled'))])
    },
    async answer(run, approvalId, answer) {
      const restored = await restore(log, run)
      const word = answerWord(restored.progress, approvalId, answer)
      if (word === undefined) return 'not-asked'
      const owner = own(run, restored, {})
      const canGoOn = run.agent === undefined && restored.isReproduced
      await Promise.all([owner.add([word]), ...(canGoOn ? [] : [owner.close(endWord('interrupted'))])])
      return canGoOn ? 'waiting' : 'ended'
    },
  }
}
