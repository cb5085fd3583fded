import type { Log, StoredRun } from '../log/log.ts'

/** Finds in the log whether a run without a producer waits for an answer. Each entry is read once, not per call. */
export interface OpenApprovals {
  hasOpenApproval(run: StoredRun): Promise<boolean>
}

interface ReadRun {
  readonly seq: number
  /** The approvals that have no answer yet. */
  readonly open: ReadonlySet<string>
}

/** A run that is no longer remembered is read again from its first entry. */
const MAX_REMEMBERED = 1_000

export function createOpenApprovals(log: Log): OpenApprovals {
  const readRuns = new Map<string, ReadRun>()

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
    async hasOpenApproval({ id, createdAt, seq }) {
      // A new run may have the id of a deleted one.
      const key = `${createdAt} ${id}`
      const earlier = readRuns.get(key) ?? { seq: 0, open: new Set() }
      const current = earlier.seq < seq ? await readOn(id, earlier) : earlier
      readRuns.delete(key)
      readRuns.set(key, current)
      const [oldest = key] = readRuns.keys()
      if (readRuns.size > MAX_REMEMBERED) readRuns.delete(oldest)
      return current.open.size > 0
    },
  }
}
