import type { Agent, ApprovalAnswer } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import { type ChatEvent, fold } from '@millrace/core/fold'
import type { Log } from '@millrace/server/log/log'
import { memory } from '@millrace/server/log/memory'
import { answerApproval, stopRun } from '@millrace/server/run/ask'
import { createRuns } from '@millrace/server/run/create-runs'
import type { Runs } from '@millrace/server/run/runs'
import { afterEach } from 'vitest'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Agents in one thread of a server without HTTP. */
export interface Bench {
  readonly log: Log
  readonly runs: Runs
  start(runId: string, text?: string, agent?: string): Promise<void>
  ended(runId: string): Promise<readonly StreamEvent[]>
  seen(runId: string, fits: (event: StreamEvent) => boolean): Promise<StreamEvent>
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): Promise<unknown>
  steer(runId: string, text: string): Promise<unknown>
  stop(runId: string): Promise<unknown>
  /** What a person sees of a run that has ended. */
  picture(runId: string): Promise<readonly ChatEvent[]>
}

export async function createBench(...agents: readonly [Agent, ...Agent[]]): Promise<Bench> {
  const log = await memory.open({ folder: '' })
  const runs = createRuns({ log, agents, report: () => undefined, stopWithin: 500 })
  closing.push(() => runs.close())
  async function entriesOf(runId: string) {
    const all = []
    for await (const entries of log.read(runId, { after: 0, live: true })) all.push(...entries)
    return all
  }
  return {
    log,
    runs,
    async start(runId, text = 'Go', agent = agents[0].name) {
      await runs.start({ threadId: 'thr', agent, input: { text }, runId })
    },
    ended: async (runId) => (await entriesOf(runId)).map(({ event }) => event),
    async seen(runId, fits) {
      for await (const entries of log.read(runId, { after: 0, live: true })) {
        const found = entries.find(({ event }) => fits(event))
        if (found !== undefined) return found.event
      }
      throw new Error('The run has ended without it.')
    },
    answer: (runId, approvalId, answer) => answerApproval(runs, runId, approvalId, answer),
    steer: (runId, text) => runs.tell(runId, { command: { type: 'steer', messageId: 'm', text, when: 'now' } }),
    stop: (runId) => stopRun(runs, runId),
    picture: async (runId) => fold(await entriesOf(runId)).chatEvents,
  }
}

/** One run of an agent. */
export async function eventsOf(agent: Agent, text?: string): Promise<readonly StreamEvent[]> {
  const bench = await createBench(agent)
  await bench.start('r', text)
  return bench.ended('r')
}

export const ofType = <Type extends StreamEvent['type']>(events: readonly StreamEvent[], type: Type) =>
  events.filter((event): event is Extract<StreamEvent, { type: Type }> => event.type === type)
