import type { Log, StoredRun } from '../log/log.ts'

/** Whether runs that nobody feeds wait for an answer, from the log. No entry is looked at with every question anew. */
export interface OpenApprovals {
  hasOpenApproval(run: StoredRun): Promise<boolean>
}

interface ReadRun {
  readonly seq: number
  /** The approvals that have no answer. */
  readonly open: ReadonlySet<string>
}

/** How many runs are remembered; a forgotten one is read again. */
const KEPT = 1_000

export function createOpenApprovals(log: Log): OpenApprovals {
  const readRuns = new Map<string, ReadRun>()

  async function readOn(runId: string, { seq, open: before }: ReadRun): Promise<ReadRun> {
    const open = new Set(before)
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
      // A run that was deleted may have come again under its id.
      const key = `${createdAt} ${id}`
      const before = readRuns.get(key) ?? { seq: 0, open: new Set() }
      const now = before.seq < seq ? await readOn(id, before) : before
      readRuns.delete(key)
      readRuns.set(key, now)
      const [oldest = key] = readRuns.keys()
      if (readRuns.size > KEPT) readRuns.delete(oldest)
      return now.open.size > 0
    },
  }
}
