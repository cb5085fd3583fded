import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { createOpenApprovals } from '../src/run/open-approvals.ts'
import { openLog } from './run-parts.ts'

const approval = (approvalId: string, state: 'requested' | 'approved'): StreamEvent => ({
  type: 'approval',
  approvalId,
  state,
})

/** Reports whether the run has an open approval, and which entries were read for that. */
function createQuestions(log: Log, runId: string) {
  const reads: number[] = []
  const read: Log['read'] = (id, options) => {
    reads.push(options.after)
    return log.read(id, options)
  }
  const openApprovals = createOpenApprovals({ ...log, read })
  return {
    reads,
    async isAsking() {
      const run = await log.run(runId)
      return run !== undefined && openApprovals.hasOpenApproval(run)
    },
  }
}

async function openRun(log: Log, events: readonly StreamEvent[]): Promise<void> {
  await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [], events })
}

describe('the open approvals of a run', () => {
  it('are read from the log once, and later only from new entries', async () => {
    const log = await openLog()
    await openRun(log, [{ type: 'run-start' }, approval('one', 'requested'), approval('two', 'requested')])
    const { isAsking, reads } = createQuestions(log, 'r')
    expect([await isAsking(), await isAsking(), reads]).toEqual([true, true, [0]])
    const answer = (approvalId: string, afterSeq: number) =>
      log.append('r', { epoch: 0, afterSeq }, { inputs: [], events: [approval(approvalId, 'approved')] })
    await answer('one', 3)
    expect([await isAsking(), reads]).toEqual([true, [0, 3]])
    await answer('two', 4)
    expect([await isAsking(), await isAsking(), reads]).toEqual([false, false, [0, 3, 4]])
  })

  it('cost nothing before the first entry', async () => {
    const log = await openLog()
    await openRun(log, [])
    const { isAsking, reads } = createQuestions(log, 'r')
    expect([await isAsking(), reads]).toEqual([false, []])
  })
})
