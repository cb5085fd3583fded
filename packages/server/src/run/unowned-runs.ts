import type { Log, StoredRun } from '../log/log.ts'
import type { Agent } from './agent.ts'
import { performAll } from './attend.ts'
import { acquireFree, isLost, type Node } from './node.ts'
import type { OwnedRuns } from './owned-runs.ts'
import { createOwner, type KeepFile, type Owner } from './owner.ts'
import { canGoOn } from './recover-agent.ts'
import { restingRun } from './resting-run.ts'
import { type Restored, restore } from './restore.ts'
import { endEvent } from './server-events.ts'

/** Does for open runs that no node owns what is asked of them, and ends those whose producers do not come back. */
export interface UnownedRuns {
  /** Does what was asked of the run, if nobody owns it. */
  serve(runId: string): Promise<void>
  /** Decides about a run whose owner or whose wait has ended. */
  settle(run: StoredRun): Promise<void>
}

export interface UnownedRunsOptions {
  readonly log: Log
  readonly node: Node
  readonly ownedRuns: OwnedRuns
  readonly keepFile: KeepFile
  readonly resumeWithin: number
  /** Milliseconds. */
  readonly now: () => number
  readonly report: (error: unknown, runId: string) => void
  /** Starts the agent of a run that no node has begun. */
  readonly beginQueued: (runId: string) => Promise<void>
  /** The agent of a run, if the server has it. */
  readonly agentOf: (run: StoredRun) => Agent | undefined
  /** Starts the agent of a run again, which then does what is asked of the run. */
  readonly recover: (agent: Agent, run: StoredRun, restored: Restored) => Promise<void>
}

/** What becomes of a run that is not ended by what was asked of it. The run of a server's agent has nobody to wait for. */
type Fate = 'interrupt' | 'wait' | 'wait-for-answer'

/** Another has owned the run since it was looked at: what was seen then decides nothing, and its producer has its time. */
const fateOfOther = ({ agent }: StoredRun): Fate => (agent === undefined ? 'wait' : 'interrupt')

/** A producer that was waited for has its time again; a run that waited without a limit goes on so. */
const fateOfWaiting = ({ state, waitUntil }: StoredRun): Fate =>
  state === 'waiting' && waitUntil === undefined ? 'wait-for-answer' : 'wait'

export function createUnownedRuns(options: UnownedRunsOptions): UnownedRuns {
  const { log, node, ownedRuns, keepFile, resumeWithin, now, report, beginQueued, agentOf, recover } = options

  /** Only what recovery writes is dated like the run's last entry: a person's request has its own time. */
  function ownerOf(run: StoredRun, { position, rawRecords }: Restored, at?: number): Owner {
    const stamp = at === undefined ? {} : { at }
    const onFailure = (error: unknown) => report(error, run.id)
    return createOwner({ log, run, position, rawRecords, keepFile, ...stamp, onFailure })
  }

  async function doWhatIsAsked(run: StoredRun): Promise<{ readonly isEnded: boolean; readonly isAnswered: boolean }> {
    const asked = await log.commands(run.id, { after: 0, isOpen: true })
    if (asked.length === 0) return { isEnded: false, isAnswered: false }
    const restored = await restore(log, run)
    const questions = restored.position.openApprovals().length
    const owner = ownerOf(run, restored)
    const canContinue = run.agent === undefined && restored.isReproduced
    await performAll(log, restingRun({ log, owner, canContinue }), 0)
    return { isEnded: owner.isEnded(), isAnswered: restored.position.openApprovals().length < questions }
  }

  async function interrupt(run: StoredRun): Promise<void> {
    const restored = await restore(log, run)
    // It stays open while it awaits an answer: its producer may come back for it, or the answer brings its agent back.
    const canWait = run.agent === undefined ? restored.position.isAwaiting() : canGoOn(agentOf(run), restored)
    if (canWait) return ownedRuns.release({ run })
    await ownerOf(run, restored, 0).close(endEvent('interrupted'))
    ownedRuns.pack(run.id)
  }

  /**
   * How long a run waits that nobody has answered: what was refused must not keep it waiting for ever. The producer has
   * as long to come back for an answer as after a lost connection.
   */
  function waitOf(fate: Fate, { state, waitUntil }: StoredRun): number | undefined {
    if (fate === 'wait-for-answer') return undefined
    return state === 'waiting' && waitUntil !== undefined ? Math.max(0, waitUntil - now()) : resumeWithin
  }

  /** The run as it was before, and what becomes of it. */
  async function take(before: StoredRun, fate: Fate): Promise<void> {
    const run = await acquireFree(log, node, before.id)
    if (run === undefined) return
    const isAsSeen = run.epoch === before.epoch + 1
    const decided = isAsSeen ? fate : fateOfOther(run)
    try {
      const { isEnded, isAnswered } = await doWhatIsAsked(run)
      if (isEnded) return ownedRuns.pack(run.id)
      if (decided === 'interrupt' && !isAnswered) return await interrupt(run)
      await ownedRuns.release({ run }, isAsSeen && !isAnswered ? waitOf(decided, before) : resumeWithin)
    } catch (error) {
      if (!isLost(error)) await ownedRuns.release({ run }, resumeWithin)
      throw error
    }
  }

  /**
   * Brings the agent of a run back that was asked a question before its process ended, once somebody answers. Resolves with
   * whether the run is served by that.
   */
  async function bringBack(before: StoredRun): Promise<boolean> {
    const agent = agentOf(before)
    if (agent?.can?.recover !== true || !(await hasAnswer(before.id))) return false
    const run = await acquireFree(log, node, before.id, before.attempt + 1)
    if (run === undefined) return true
    try {
      const restored = await restore(log, run)
      if (canGoOn(agent, restored)) await recover(agent, run, restored)
      else if (!(await doWhatIsAsked(run)).isEnded) await interrupt(run)
      return true
    } catch (error) {
      if (!isLost(error)) await ownedRuns.release({ run })
      throw error
    }
  }

  const hasAnswer = async (runId: string) =>
    (await log.commands(runId, { after: 0, isOpen: true })).some(({ command }) => command.type === 'answer')

  return {
    async serve(runId) {
      const run = await log.run(runId)
      if (run === undefined || run.state === 'ended' || run.state === 'queued') return
      if ((await log.commands(runId, { after: 0, isOpen: true })).length === 0 || (await bringBack(run))) return
      await take(run, run.agent === undefined ? fateOfWaiting(run) : 'interrupt')
    },
    async settle(run) {
      if (run.state === 'queued') return beginQueued(run.id)
      if (await bringBack(run)) return
      const isProducerLost = run.agent === undefined && (run.owner !== undefined || run.state === 'live')
      await take(run, isProducerLost ? 'wait' : 'interrupt')
    },
  }
}
