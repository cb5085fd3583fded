import { setTimeout } from 'node:timers/promises'
import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'
import { isTrouble } from '../log/errors.ts'
import type { StoredRun } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import { createAsking } from './asking.ts'
import { createBells } from './bells.ts'
import { RunRefusal } from './errors.ts'
import { ingest } from './ingest.ts'
import type { LiveRun } from './live-run.ts'
import { createLives } from './lives.ts'
import { createRunStates } from './run-states.ts'
import type { Runs, RunsOptions, Sleep } from './runs.ts'
import { startRun } from './start.ts'
import { createRunLocks } from './turns.ts'
import { createUnowned } from './unowned.ts'
import { createWaits } from './waits.ts'
import { answerWord } from './words.ts'

/** A timer that does not keep a process alive which has nothing else to do. */
const sleepAside: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false })

function reportAside(error: unknown, runId: string): void {
  console.error(`Run "${runId}":`, error)
}

export function createRuns(options: RunsOptions): Runs {
  const { log, agents, resumeWithin = 60_000, stopWithin = 5_000, sleep = sleepAside, report = reportAside } = options
  const { now = Date.now } = options
  const turns = createRunLocks()
  const states = createRunStates()
  const waits = createWaits({ resumeWithin, sleep, now, states, expire })
  const begun = createBells()
  const lives = createLives({ log, waits, states, report, onHost: ({ owner }) => begun.ring(owner.run.threadId) })
  const unowned = createUnowned({ log, report })
  const asking = createAsking(log)
  let isClosing = false
  // An agent whose stream nobody can read is the host's mistake: better said now than at its first run.
  for (const { format, framing } of agents) void [getParser(format), getSource(framing)]

  async function known(runId: string): Promise<StoredRun> {
    const run = await log.run(runId)
    if (run === undefined) throw new RunRefusal('unknown-run', runId)
    return run
  }

  /** Ends a run that nobody came back to; an ingested one that awaits an answer stays open. */
  async function interrupt(run: StoredRun): Promise<void> {
    if ((await unowned.interrupt(run)) === 'ended') lives.pack(run.id)
    else await log.setState(run.id, 'waiting')
  }

  async function expire(runId: string): Promise<boolean> {
    const end = async () => {
      const run = lives.get(runId) === undefined ? await log.run(runId) : undefined
      if (run !== undefined && run.state !== 'ended') await interrupt(run)
    }
    try {
      await turns.take(runId, end)
      return true
    } catch (error) {
      report(error, runId)
      return !isTrouble(error)
    }
  }

  async function answerLive(live: LiveRun, approvalId: string, answer: ApprovalAnswer): Promise<boolean> {
    const word = answerWord(live.owner.progress, approvalId, answer)
    if (word === undefined || live.owner.isEnded()) return false
    await live.owner.add([word])
    live.wake(approvalId, answer)
    return true
  }

  async function answerUnowned(run: StoredRun, approvalId: string, answer: ApprovalAnswer): Promise<boolean> {
    const next = await unowned.answer(run, approvalId, answer)
    if (next === 'waiting') waits.begin(run.id)
    if (next === 'ended') lives.pack(run.id)
    return next !== 'not-asked'
  }

  async function recoverRun(run: StoredRun): Promise<void> {
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
      return startRun({ log, turns, lives, waits, sleep, stopWithin, report }, agent, start)
    },
    async ingest(asked, body) {
      if (isClosing) throw new RunRefusal('closing', asked.runId ?? '')
      return ingest({ log, turns, lives, waits, report }, asked, body)
    },
    stop: (runId, by) =>
      turns.take(runId, async () => {
        const live = lives.get(runId)
        if (live?.owner.isEnded() === true) return false
        if (live !== undefined) return live.stop(by).then(() => true)
        const run = await known(runId)
        if (run.state === 'ended') return false
        await unowned.stop(run, by)
        waits.cancel(runId)
        lives.pack(runId)
        return true
      }),
    answer: (runId, approvalId, answer) =>
      turns.take(runId, async () => {
        const live = lives.get(runId)
        if (live !== undefined) return (await answerLive(live, approvalId, answer)) ? 'answered' : 'not-asked'
        const run = await known(runId)
        if (run.state === 'ended') return 'not-asked'
        return (await answerUnowned(run, approvalId, answer)) ? 'answered' : 'not-asked'
      }),
    async isAsking(run) {
      // What has ended otherwise has withdrawn its questions.
      if (run.state === 'ended' && run.outcome !== 'awaiting-input') return false
      return lives.get(run.id)?.owner.progress.isAwaiting() ?? asking.isAsking(run)
    },
    onBegin: begun.listen,
    status: states.of,
    onStatus: states.listen,
    async recover() {
      for (const run of await log.openRuns()) {
        await turns
          .take(run.id, () => recoverRun(run))
          .catch((error: unknown) => {
            report(error, run.id)
            if (isTrouble(error)) waits.begin(run.id)
          })
      }
    },
    async close() {
      isClosing = true
      waits.close()
      await lives.close()
    },
  }
}
