import type { Log, StoredRun } from '../log/log.ts'
import { createRunCache } from './run-cache.ts'

/** Finds in the log whether a run without a producer waits for an answer. Each entry is read once, not per call. */
export interface OpenApprovals {
  hasOpenApproval(run: StoredRun): Promise<boolean>
}

interface ReadRun {
  readonly seq: number
  /** The approvals that have no answer yet. */
  readonly open: ReadonlySet<string>
}

export function createOpenApprovals(log: Log): OpenApprovals {
  const readRuns = createRunCache<ReadRun>()

  async function readOn(runId: string, { seq, open: earlier }: ReadRun): Promise<ReadRun> {
    const open = new Set(earlier)
    let last = seq
    for await (const entries of log.read(runId, { after: seq, live: false })) {
      for (const { event } of entries) {
        if (event.type !== 'approval') continue
        if (event.state === 'requested') open.add(event.approvalId)
        else open.delete(event.approvalId)
      }
      last = entries.at(-1)?.seq ?? last
    }
    return { seq: last, open }
  }

  return {
    async hasOpenApproval(run) {
      const earlier = readRuns.get(run) ?? { seq: 0, open: new Set() }
      const { open } = readRuns.set(run, earlier.seq < run.seq ? await readOn(run.id, earlier) : earlier)
      return open.size > 0
    },
  }
}
