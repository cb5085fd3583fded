import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { agentOf, bodyOf, createReports, eventsOf, isEnded, lineOf, openLog, refusalOf, until } from './run-parts.ts'

const input = { text: 'Which tram comes first?' }

async function startedWith(agent = agentOf(() => bodyOf(lineOf('text', { content: 'Line 3.' }), lineOf('done')))) {
  const log = await openLog()
  const { report, reports } = createReports()
  const runs = createRuns({ log, agents: [agent], report })
  return { log, runs, reports }
}

describe('starting a run', () => {
  it("logs the start, the person's message directly after it, and the agent's events", async () => {
    const { log, runs, reports } = await startedWith()
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    await until(isEnded(log, run.id))
    const events = await eventsOf(log, run.id)
    expect(events.slice(0, 6)).toMatchObject([
      { type: 'run-start', agent: 'tester' },
      { type: 'message-start', role: 'user' },
      { type: 'block-start', kind: 'text' },
      { type: 'block-delta', text: input.text },
      { type: 'block-end' },
      { type: 'message-end' },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
    expect(events).toContainEqual(expect.objectContaining({ type: 'block-delta', text: 'Line 3.' }))
    expect(reports).toEqual([])
  })

  it("S3-32: logs the person's message before the agent has sent a byte", async () => {
    const silence = Promise.withResolvers<void>()
    const { log, runs } = await startedWith(
      agentOf(async function* () {
        await silence.promise
        yield* bodyOf(lineOf('done'))
      }),
    )
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    expect(run).toMatchObject({ state: 'live', seq: 6, rawRecords: 0, agent: 'tester', format: 'agent-lines' })
    expect((await eventsOf(log, run.id)).at(-1)).toMatchObject({ type: 'message-end' })
    silence.resolve()
    await until(isEnded(log, run.id))
  })

  it('shows uploaded files in the message, and no block for an empty text', async () => {
    const { log, runs } = await startedWith()
    const files = [{ id: 'file/1', mediaType: 'image/png', filename: 'tram.png' }]
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input: { text: '', files } })
    const events = await eventsOf(log, run.id)
    expect(events.slice(1, 4)).toMatchObject([
      { type: 'message-start' },
      { type: 'file', fileId: 'file/1', mediaType: 'image/png', filename: 'tram.png', url: '/api/files/file%2F1' },
      { type: 'message-end' },
    ])
  })

  it('creates ids of 144 random bits, and accepts those of a client', async () => {
    const { runs } = await startedWith()
    const minted = await runs.start({ threadId: 'thr', agent: 'tester', input })
    const other = await runs.start({ threadId: 'thr', agent: 'tester', input })
    const given = await runs.start({ threadId: 'thr', agent: 'tester', input, runId: 'mine' })
    expect(minted.id).toMatch(/^run_[\w-]{24}$/)
    expect(other.id).not.toBe(minted.id)
    expect(given.id).toBe('mine')
  })

  it('S3-44: starts one run per idempotency key and per id', async () => {
    let count = 0
    const { log, runs } = await startedWith(
      agentOf(() => {
        count++
        return bodyOf(lineOf('done'))
      }),
    )
    const start = { threadId: 'thr', agent: 'tester', input, idempotencyKey: 'click-1' }
    const [one, two] = await Promise.all([runs.start(start), runs.start(start)])
    const third = await runs.start({ ...start, idempotencyKey: 'click-2', runId: one.id })
    await until(isEnded(log, one.id))
    expect([two.id, third.id]).toEqual([one.id, one.id])
    expect(count).toBe(1)
    expect(await log.runs('thr')).toHaveLength(1)
  })

  it('gives the agent the history of the runs that it continues, in order', async () => {
    const requests: AgentRequest[] = []
    const { log, runs } = await startedWith(
      agentOf((request) => {
        requests.push(request)
        return bodyOf(lineOf('text', { content: `Answer ${requests.length}` }), lineOf('done'))
      }),
    )
    const ids: string[] = []
    for (const text of ['one', 'two', 'three', 'four']) {
      const afterRunId = text === 'four' ? ids[0] : undefined
      const run = await runs.start({
        threadId: 'thr',
        agent: 'tester',
        input: { text },
        ...(afterRunId !== undefined && { afterRunId }),
      })
      ids.push(run.id)
      await until(isEnded(log, run.id))
    }
    const said = requests.map(({ history }) =>
      history.map(({ segments: [segment] }) => (segment?.type === 'text' ? segment.text : '')),
    )
    const one = ['one', 'Answer 1']
    expect(said).toEqual([[], one, [...one, 'two', 'Answer 2'], one])
    expect((await log.runs('thr')).map(({ afterRunId }) => afterRunId)).toEqual([undefined, ids[0], ids[1], ids[0]])
  })

  it('takes the title of a thread from its first message', async () => {
    const { log, runs } = await startedWith()
    await runs.start({ threadId: 'thr', agent: 'tester', input: { text: '  Count the sheep\nin the field' } })
    await runs.start({ threadId: 'thr', agent: 'tester', input: { text: 'And the goats' } })
    expect((await log.thread('thr'))?.title).toBe('Count the sheep')
  })

  it('refuses an unknown agent, an unknown run to continue, and an id of another thread', async () => {
    const { log, runs } = await startedWith()
    const refused = async (change: object) =>
      (await refusalOf(runs.start({ threadId: 'thr', agent: 'tester', input, ...change }))).code
    expect(await refused({ agent: 'nobody' })).toBe('unknown-agent')
    expect(await refused({ afterRunId: 'gone' })).toBe('unknown-run')
    await runs.start({ threadId: 'other', agent: 'tester', input, runId: 'taken' })
    expect(await refused({ runId: 'taken' })).toBe('wrong-thread')
    expect(await log.thread('thr')).toBeUndefined()
  })
})

describe('the end of an agent', () => {
  it('is an error with its message if the agent throws, and keeps what it sent', async () => {
    const { log, runs } = await startedWith(
      agentOf(async function* () {
        yield* bodyOf(lineOf('text', { content: 'Half a ' }), '{"type":"te')
        throw new RangeError('no more trams')
      }),
    )
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    await until(isEnded(log, run.id))
    const events = await eventsOf(log, run.id)
    expect(events).toContainEqual(expect.objectContaining({ type: 'block-delta', text: 'Half a ' }))
    expect(events).toContainEqual(expect.objectContaining({ type: 'raw', value: '{"type":"te' }))
    expect(events.at(-1)).toEqual({
      type: 'run-end',
      outcome: 'error',
      error: { message: 'no more trams', name: 'RangeError' },
    })
  })

  it('S3-40: is interrupted if the stream stops without its end', async () => {
    const { log, runs } = await startedWith(agentOf(() => bodyOf(lineOf('text', { content: 'Half a' }))))
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    await until(isEnded(log, run.id))
    expect((await log.run(run.id))?.outcome).toBe('interrupted')
  })

  it('S0-97: stores the assistant’s message with the end, with its own id', async () => {
    const { log, runs } = await startedWith(
      agentOf(() =>
        bodyOf(
          lineOf('status', { message: 'Looking' }),
          lineOf('thinking', { content: 'Line 3, surely.' }),
          lineOf('text', { content: 'Line 3.' }),
          lineOf('done'),
        ),
      ),
    )
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    await until(isEnded(log, run.id))
    const [message, ...others] = await log.messages('thr')
    expect(others).toEqual([])
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
      chatId: 'thr',
      role: 'assistant',
      content: 'Line 3.',
      metadata: { processing: ['Looking'], thinking: 'Line 3, surely.\n' },
    })
  })

  it('is followed by packing, and by a report if that fails', async () => {
    const log = await openLog()
    const packed: string[] = []
    const pack = async (runId: string) => {
      packed.push(runId)
      throw new Error('no room to pack')
    }
    const { report, reports } = createReports()
    const runs = createRuns({ log: { ...log, pack }, agents: [agentOf(() => bodyOf(lineOf('done')))], report })
    const run = await runs.start({ threadId: 'thr', agent: 'tester', input })
    await until(isEnded(log, run.id))
    await runs.close()
    expect(packed).toEqual([run.id])
    expect(reports).toEqual([new Error('no room to pack')])
  })

  it('is an error at creation if the agent’s format is unknown', async () => {
    const log = await openLog()
    const agent = { ...agentOf(() => bodyOf()), format: 'semaphore' }
    expect(() => createRuns({ log, agents: [agent] })).toThrow('semaphore')
  })
})
