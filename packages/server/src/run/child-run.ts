import type { StreamEvent } from '@millrace/core/events'
import type { Log, StoredRun } from '../log/log.ts'
import type { Agent, ChildRun } from './agent.ts'
import { answerApproval, stopRun } from './ask.ts'
import { RunRefusal } from './errors.ts'
import type { Runs } from './runs.ts'
import { type StartContext, startRun } from './start.ts'

/** Agents may call each other in a circle. */
const MOST_NESTED = 8

export interface ChildContext {
  readonly start: StartContext
  readonly agentNamed: (name: string) => Agent
  readonly tell: Runs['tell']
}

/** Begins a run of another agent for the agent of the parent. It belongs to the parent's thread, and to none of its branches. */
export async function runAgent(
  context: ChildContext,
  parent: StoredRun,
  name: string,
  task: string,
): Promise<ChildRun> {
  const { start, agentNamed, tell } = context
  const { log } = start
  const agent = agentNamed(name)
  if ((await depthOf(log, parent)) >= MOST_NESTED) throw new RunRefusal('too-nested', name)
  const { id: runId } = await startRun(start, agent, {
    threadId: parent.threadId,
    agent: name,
    input: { text: task },
    parentRunId: parent.id,
  })
  return {
    runId,
    async *events() {
      for await (const entries of log.read(runId, { after: 0, live: true })) yield* eventsOf(entries)
    },
    async answer(approvalId, answer) {
      await answerApproval({ tell }, runId, approvalId, answer)
    },
    async stop() {
      await stopRun({ tell }, runId, 'agent')
    },
  }
}

const eventsOf = (entries: readonly { readonly event: StreamEvent }[]) => entries.map(({ event }) => event)

/** How many runs the run is nested in. */
async function depthOf(log: Log, run: StoredRun): Promise<number> {
  let depth = 0
  for (let at: StoredRun | undefined = run; at?.parentRunId !== undefined && depth < MOST_NESTED; depth++) {
    at = await log.run(at.parentRunId)
  }
  return depth
}
