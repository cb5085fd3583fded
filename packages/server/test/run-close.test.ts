import { describe, expect, it } from 'vitest'
import type { AgentHost } from '../src/run/agent.ts'
import {
  aborted,
  agentOf,
  bodyOf,
  bytesOf,
  createAgentRuns,
  createPipe,
  eventsOf,
  isEnded,
  lineOf,
  obedientAgent,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const start = { threadId: 'thr', agent: 'tester', input: { text: 'Go' }, runId: 'r' }
describe('closing all runs', () => {
  it('asks agents to stop, ends their runs as interrupted, and accepts no new ones', async () => {
    const { log, runs } = await createAgentRuns(obedientAgent)
    await runs.start(start)
    await runs.close()
    expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    expect((await refusalOf(runs.start({ ...start, runId: 'r2' }))).code).toBe('closing')
    expect((await refusalOf(runs.ingest({ format: 'agent-lines' }, bodyOf()))).code).toBe('closing')
  })

  it.each([
    ['that waits for an answer', (host: AgentHost) => host.ask({ message: 'May I?' })],
    ['that was asked to stop', (_host: AgentHost, signal: AbortSignal) => aborted(signal)],
  ])('resolves when an agent %s has run its `finally`', async (_name, wait) => {
    const cleanup = Promise.withResolvers<void>()
    let isCleanedUp = false
    const agent = agentOf(async function* ({ signal }, host) {
      try {
        yield bytesOf(textLine('Working.'))
        await wait(host, signal)
      } finally {
        await cleanup.promise
        isCleanedUp = true
      }
    })
    const { log, runs } = await createAgentRuns(agent)
    await runs.start(start)
    await until(async () => ((await log.run('r'))?.rawRecords ?? 0) > 0)
    let isClosed = false
    const closed = runs.close().then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    cleanup.resolve()
    await closed
    expect(isCleanedUp).toBe(true)
  })

  it('gives an agent that does not stop no more time for its cleanup', async () => {
    const { log, runs, sleeper } = await createAgentRuns(
      agentOf(async function* () {
        yield bytesOf(textLine('Working.'))
        await new Promise(() => undefined)
      }),
    )
    await runs.start(start)
    await until(async () => ((await log.run('r'))?.rawRecords ?? 0) > 0)
    const closed = runs.close()
    await until(() => sleeper.sleeping() === 2)
    sleeper.wakeAll()
    await closed
    expect(sleeper.slept).toEqual([5_000, 5_000])
    expect(await log.run('r')).toMatchObject({ state: 'ended', outcome: 'interrupted' })
  })

  it('waits no longer than for a stop if an agent never ends', async () => {
    const { runs, sleeper } = await createAgentRuns(
      agentOf(async function* (_request, host) {
        await host.ask({ message: 'May I?' })
        await new Promise(() => undefined)
        yield* bodyOf(lineOf('done'))
      }),
    )
    await runs.start(start)
    const closed = runs.close()
    await until(() => sleeper.sleeping() > 0)
    expect(sleeper.slept).toEqual([5_000])
    sleeper.wakeAll()
    await closed
  })

  it('stops an agent that was about to start', async () => {
    const { log, runs } = await createAgentRuns(obedientAgent)
    const started = runs.start(start)
    await runs.close()
    await started
    await until(isEnded(log, 'r'))
    expect((await log.run('r'))?.outcome).toBe('interrupted')
  })

  it('leaves a run open that awaits an answer', async () => {
    const { log, runs } = await createAgentRuns(
      agentOf(async function* (_request, host) {
        await host.ask({ message: 'May I?' })
        yield* bodyOf(lineOf('done'))
      }),
    )
    await runs.start(start)
    await until(async () => (await eventsOf(log, 'r')).some(({ type }) => type === 'approval'))
    await runs.close()
    // The next node decides about it at once.
    expect((await log.expired()).map(({ id }) => id)).toEqual(['r'])
    expect((await eventsOf(log, 'r')).at(-1)).toMatchObject({ type: 'approval', state: 'requested' })
  })

  it("cuts off a producer's body and leaves its run for the next start", async () => {
    const { log, runs } = await createAgentRuns(obedientAgent)
    const pipe = createPipe()
    const fed = refusalOf(runs.ingest({ format: 'agent-lines', runId: 'r' }, pipe))
    pipe.write(textLine('Half'))
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    await runs.close()
    expect(await fed).toEqual({ code: 'closing', rawRecords: 1 })
    expect(await log.run('r')).toMatchObject({ state: 'waiting', rawRecords: 1 })
  })
})
