import { setTimeout } from 'node:timers/promises'
import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'
import { isTrouble } from '../log/errors.ts'
import type { StoredRun } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import { RunRefusal } from './errors.ts'
import { ingest } from './ingest.ts'
import type { LiveRun } from './live-runs.ts'
import { createLiveRuns } from './live-runs.ts'
import { createOpenApprovals } from './open-approvals.ts'
import type { KeepFile } from './owner.ts'
import { createRunLocks } from './run-locks.ts'
import { createListeners, createRunStatuses } from './run-statuses.ts'
import type { Runs, RunsOptions, Sleep } from './runs.ts'
import { answerEvent } from './server-events.ts'
import { startRun } from './start.ts'
import { createUnownedRuns } from './unowned-runs.ts'
import { createWaits } from './waits.ts'

/** A timer that does not keep the process alive. */
const defaultSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false })

function defaultReport(error: unknown, runId: string): void {
  console.error(`Run "${runId}":`, error)
}

const refuseFile: KeepFile = () => Promise.reject(new Error('There is no store for the large files of runs.'))

export function createRuns(options: RunsOptions): Runs {
  const { log, agents, keepFile = refuseFile, resumeWithin = 60_000, stopWithin = 5_000 } = options
  const { sleep = defaultSleep, report = defaultReport, now = Date.now } = options
  const runLocks = createRunLocks()
  const statuses = createRunStatuses(report)
  const waits = createWaits({ resumeWithin, sleep, now, statuses, expire })
  const beginListeners = createListeners(report)
  const liveRuns = createLiveRuns({
    log,
    waits,
    statuses,
    report,
    sleep,
    stopWithin,
    onHost: ({ owner }) => beginListeners.notify(owner.run.threadId),
  })
  const unownedRuns = createUnownedRuns({ log, keepFile, report })
  const openApprovals = createOpenApprovals(log)
  let isClosing = false
  // An agent of an unknown format or framing is the host's mistake: it throws here, not at the agent's first run.
  for (const { format, framing } of agents) void [getParser(format), getSource(framing)]

  async function existingRun(runId: string): Promise<StoredRun> {
    const run = await log.run(runId)
    if (run === undefined) throw new RunRefusal('unknown-run', runId)
    return run
  }

  /** Ends a run whose producer did not come back; an ingested run that awaits an answer stays open. */
  async function interrupt(run: StoredRun): Promise<void> {
    if ((await unownedRuns.interrupt(run)) === 'ended') liveRuns.pack(run.id)
    else await log.setState(run.id, 'waiting')
  }

  /** The run as it is now; undefined if it has ended, or if this process feeds it. */
  async function openUnownedRun(runId: string): Promise<StoredRun | undefined> {
    const run = liveRuns.get(runId) === undefined ? await log.run(runId) : undefined
    return run?.state === 'ended' ? undefined : run
  }

  async function expire(runId: string, signal: AbortSignal): Promise<boolean> {
    const end = async () => {
      if (signal.aborted) return
      const run = await openUnownedRun(runId)
      if (run !== undefined) await interrupt(run)
      else if (liveRuns.get(runId) === undefined) statuses.clear(runId)
    }
    try {
      await runLocks.take(runId, end)
      return true
    } catch (error) {
      report(error, runId)
      return !isTrouble(error)
    }
  }

  async function answerLive(live: LiveRun, approvalId: string, answer: ApprovalAnswer): Promise<boolean> {
    const event = answerEvent(live.owner.position, approvalId, answer)
    if (event === undefined || live.owner.isEnded()) return false
    await live.owner.add([event])
    live.wake(approvalId, answer)
    return true
  }

  async function answerUnowned(run: StoredRun, approvalId: string, answer: ApprovalAnswer): Promise<boolean> {
    const next = await unownedRuns.answer(run, approvalId, answer)
    if (next === 'waiting') waits.begin(run.id)
    if (next === 'ended') {
      waits.cancel(run.id)
      liveRuns.pack(run.id)
    }
    return next !== 'not-asked'
  }

  async function recoverRun(runId: string): Promise<void> {
    const run = await openUnownedRun(runId)
    if (run === undefined) return
    if (run.agent !== undefined) return interrupt(run)
    await log.setState(run.id, 'waiting')
    waits.begin(run.id)
  }

  return {
    log,
    agents: () => agents,
    async start(start) {
      const agent = agents.find(({ name }) => name === start.agent)
      if (agent === undefined) throw new RunRefusal('unknown-agent', start.agent)
      if (isClosing) throw new RunRefusal('closing', start.runId ?? '')
      return startRun({ log, runLocks, liveRuns, waits, keepFile, sleep, stopWithin, report }, agent, start)
    },
    async ingest(ingestOptions, body) {
      if (isClosing) throw new RunRefusal('closing', ingestOptions.runId ?? '')
      return ingest({ log, runLocks, liveRuns, waits, keepFile, report }, ingestOptions, body)
    },
    stop: (runId, by) =>
      runLocks.take(runId, async () => {
        const live = liveRuns.get(runId)
        if (live?.owner.isEnded() === true) return false
        if (live !== undefined) return live.stop(by).then(() => true)
        const run = await existingRun(runId)
        if (run.state === 'ended') return false
        await unownedRuns.stop(run, by)
        waits.cancel(runId)
        liveRuns.pack(runId)
        return true
      }),
    answer: (runId, approvalId, answer) =>
      runLocks.take(runId, async () => {
        const live = liveRuns.get(runId)
        if (live !== undefined) return (await answerLive(live, approvalId, answer)) ? 'answered' : 'not-asked'
        const run = await existingRun(runId)
        if (run.state === 'ended') return 'not-asked'
        return (await answerUnowned(run, approvalId, answer)) ? 'answered' : 'not-asked'
      }),
    async isAsking(run) {
      // Every other outcome has withdrawn the run's questions.
      if (run.state === 'ended' && run.outcome !== 'awaiting-input') return false
      return liveRuns.get(run.id)?.owner.position.isAwaiting() ?? openApprovals.hasOpenApproval(run)
    },
    onBegin: beginListeners.listen,
    status: statuses.of,
    onStatus: statuses.listen,
    async recover() {
      for (const run of await log.openRuns()) {
        await runLocks
          .take(run.id, () => recoverRun(run.id))
          .catch((error: unknown) => {
            report(error, run.id)
            if (isTrouble(error)) waits.begin(run.id)
          })
      }
    },
    async close() {
      isClosing = true
      waits.close()
      await liveRuns.close()
    },
  }
}
