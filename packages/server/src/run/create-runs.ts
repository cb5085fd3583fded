import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'
import type { NewCommand, StoredRun } from '../log/log.ts'
import type { Agent, Agents, ChildRun } from './agent.ts'
import { runAgent } from './child-run.ts'
import { RunRefusal } from './errors.ts'
import { followUpOf } from './follow-up.ts'
import { createFollowing } from './following.ts'
import { importHistory } from './import-history.ts'
import { ingest } from './ingest.ts'
import { acquireFree, createNode } from './node.ts'
import { createOpenApprovals } from './open-approvals.ts'
import { createOwnedRuns } from './owned-runs.ts'
import type { KeepFile } from './owner.ts'
import { recoverAgent } from './recover-agent.ts'
import type { Restored } from './restore.ts'
import { createStatusWatch } from './run-status.ts'
import type { Runs, RunsOptions, Sleep, ToldCommand } from './runs.ts'
import { createServing } from './serving.ts'
import { settled } from './settled.ts'
import { beginRun, startRun } from './start.ts'
import { createSweep } from './sweep.ts'
import { createTextIndex } from './text-index.ts'
import { createUnownedRuns } from './unowned-runs.ts'
import { createWorkFolders } from './work-folders.ts'

/** A timer that does not keep the process alive. */
const defaultSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false })

function defaultReport(error: unknown, runId: string): void {
  console.error(`Run "${runId}":`, error)
}

const noFile = (fileId: string) => Promise.reject(new Error(`There is no file "${fileId}".`))
const refuseFile: KeepFile = () => Promise.reject(new Error('There is no store for the large files of runs.'))

const DEFAULT_FOLDER = join('.millrace', 'work')

const agentsOf = (agents: Agents): (() => readonly Agent[]) => (typeof agents === 'function' ? agents : () => agents)

export function createRuns(options: RunsOptions): Runs {
  const { log, keepFile = refuseFile, readFile = noFile, resumeWithin = 60_000, stopWithin = 5_000 } = options
  const { sleep = defaultSleep, report = defaultReport, now = Date.now, settleWithin = 15_000 } = options
  const agents = agentsOf(options.agents)
  const folders = createWorkFolders({ project: process.cwd(), threads: options.workFolder ?? DEFAULT_FOLDER })
  const node = createNode(log, onLost)
  const textIndex = createTextIndex({ log, report })
  const onPacked = textIndex.add
  const ownedRuns = createOwnedRuns({ log, report, sleep, now, resumeWithin, stopWithin, onPacked, onReleased })
  const limits = { stopWithin, settleWithin, resumeWithin }
  const context = {
    log,
    node,
    ownedRuns,
    keepFile,
    readFile,
    folders,
    sleep,
    now,
    report,
    beginQueued,
    agentOf: ({ agent }: StoredRun) => agents().find(({ name }) => name === agent),
    recover: (agent: Agent, run: StoredRun, restored: Restored) => recoverAgent(context, agent, run, restored),
    runAgent: (parent: StoredRun, name: string, task: string): Promise<ChildRun> =>
      runAgent({ start: context, agentNamed, tell }, parent, name, task),
    isDraining: () => isDraining,
    ...limits,
  }
  const unownedRuns = createUnownedRuns(context)
  const closing = new AbortController()
  const serve = createServing({ serve: unownedRuns.serve, sleep, closing: closing.signal, report })
  const sweep = createSweep({
    log,
    sleep,
    now,
    report,
    settle: unownedRuns.settle,
    serve,
  })
  const openApprovals = createOpenApprovals(log)
  const following = createFollowing(log, node, report)
  let isDraining = false
  let bodies = 0
  // An agent of an unknown format or framing is the host's mistake: it throws here, not at the agent's first run.
  for (const { format, framing } of agents()) void [getParser(format), getSource(framing)]

  /** Others may take its runs at once. The node goes on under another id. */
  function onLost(): void {
    ownedRuns.lose()
    if (!closing.signal.aborted) following.renew()
  }

  /** A command may have come while the run was being released: its owner did not see it any more. */
  function onReleased(runId: string, waitFor: number | undefined): void {
    if (waitFor !== undefined) sweep.after(waitFor)
    serve(runId)
  }

  const hasRun = async (runId: string | undefined) => runId !== undefined && (await log.run(runId)) !== undefined

  function agentNamed(name: string) {
    const agent = agents().find((each) => each.name === name)
    if (agent === undefined) throw new RunRefusal('unknown-agent', name)
    return agent
  }

  async function beginQueued(runId: string): Promise<void> {
    const queued = closing.signal.aborted || isDraining ? undefined : await log.run(runId)
    if (queued === undefined) return
    const agent = context.agentOf(queued)
    // Nobody can begin it: it ends like a run whose agent is gone.
    if (agent === undefined) return unownedRuns.settle({ ...queued, state: 'waiting' })
    // Read before the run is acquired: if that fails, the run stays queued.
    const beginning = await followUpOf(log, agent, queued)
    const run = await acquireFree(log, node, runId)
    if (run !== undefined) await beginRun(context, agent, run, beginning)
  }

  async function tell(runId: string, command: NewCommand): Promise<ToldCommand> {
    const { number, result: earlier } = await log.tell(runId, command)
    if (earlier !== undefined) return { number, result: earlier }
    if (ownedRuns.get(runId) === undefined) serve(runId)
    const result = await settled({ log, runId, sleep, within: settleWithin }, number)
    return result === undefined ? { number } : { number, result }
  }

  return {
    log,
    agents,
    async start(start) {
      const agent = agentNamed(start.agent)
      if (closing.signal.aborted) throw new RunRefusal('closing', start.runId ?? '')
      // A repeated request for a run that exists gets that run.
      if (isDraining && !(await hasRun(start.runId))) throw new RunRefusal('draining', start.runId ?? '')
      return startRun(context, agent, start)
    },
    async importHistory(history) {
      if (closing.signal.aborted) throw new RunRefusal('closing', '')
      if (isDraining) throw new RunRefusal('draining', '')
      return importHistory(context, history)
    },
    async ingest(ingestOptions, body) {
      if (closing.signal.aborted) throw new RunRefusal('closing', ingestOptions.runId ?? '')
      bodies++
      return ingest(context, ingestOptions, body).finally(() => bodies--)
    },
    tell,
    async isAsking(run) {
      // Every other outcome has withdrawn the run's questions.
      if (run.state === 'ended' && run.outcome !== 'awaiting-input') return false
      return ownedRuns.get(run.id)?.owner.position.isAwaiting() ?? openApprovals.hasOpenApproval(run)
    },
    onStatus: createStatusWatch(log, report),
    follow: following.follow,
    async recover() {
      await sweep.begin()
      textIndex.catchUp()
    },
    load: () => ({ ...ownedRuns.count(), bodies }),
    drain() {
      isDraining = true
    },
    async close() {
      closing.abort()
      sweep.close()
      await ownedRuns.close()
      await textIndex.close()
      await node.leave()
    },
  }
}
