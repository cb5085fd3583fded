import { describe, expect, it } from 'vitest'
import type { Log, LoggedInput } from '../src/log/log.ts'
import { createRuns } from '../src/run/create-runs.ts'
import {
  agentOf,
  bodyOf,
  brokenBody,
  createPipe,
  createReports,
  createSleeper,
  entriesOf,
  eventsOf,
  isEnded,
  lineOf,
  openLog,
  refusalOf,
  textLine,
  until,
} from './run-parts.ts'

const format = 'agent-lines'
const lines = [lineOf('start'), textLine('One '), textLine('two '), textLine('three.'), lineOf('done')]

async function open(given?: Log) {
  const log = given ?? (await openLog())
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  const agents = [agentOf(() => bodyOf(lineOf('done')))]
  return { log, sleeper, reports, runs: createRuns({ log, agents, sleep: sleeper.sleep, report }) }
}

describe('ingesting a stream', () => {
  it('logs it, ends the run with it and returns the counts of the whole run', async () => {
    const { log, runs, reports } = await open()
    const answer = await runs.ingest({ format }, bodyOf(lines.join('')))
    expect(answer).toEqual({
      threadId: expect.stringMatching(/^thr_[\w-]{24}$/),
      runId: expect.stringMatching(/^run_[\w-]{24}$/),
      rawRecords: 5,
      entries: (await entriesOf(log, answer.runId)).length,
      outcome: 'success',
    })
    expect(await log.messages(answer.threadId)).toMatchObject([{ content: 'One two three.' }])
    expect(reports).toEqual([])
  })

  it('S3-42: logs records while the body is still arriving', async () => {
    const { log, runs } = await open()
    const pipe = createPipe()
    const fed = runs.ingest({ format, runId: 'r', threadId: 't' }, pipe)
    pipe.write(lines.slice(0, 2).join(''))
    await until(async () => (await log.run('r'))?.rawRecords === 2)
    expect((await log.run('r'))?.state).toBe('live')
    pipe.write('{"type":"done","data":{}}')
    pipe.end()
    expect(await fed).toMatchObject({ runId: 'r', threadId: 't', rawRecords: 3, outcome: 'success' })
  })

  it('also reads server-sent events', async () => {
    const { log, runs } = await open()
    const body = lines.map((line) => `data: ${line}\n`).join('')
    const { runId, rawRecords } = await runs.ingest({ format }, bodyOf(body))
    expect(rawRecords).toBe(5)
    expect((await log.run(runId))?.outcome).toBe('success')
  })

  it('refuses an unknown format before anything is created', async () => {
    const { log, runs } = await open()
    expect((await refusalOf(runs.ingest({ format: 'semaphore', runId: 'r' }, bodyOf()))).code).toBe('unknown-format')
    expect(await log.run('r')).toBeUndefined()
  })

  it('starts a new run with any attempt, and only with the first record', async () => {
    const { log, runs } = await open()
    expect(await refusalOf(runs.ingest({ format, runId: 'r', line: 2 }, bodyOf(...lines)))).toEqual({
      code: 'gap',
      rawRecords: 0,
    })
    expect(await log.run('r')).toBeUndefined()
    await runs.ingest({ format, runId: 'r', attempt: 7 }, bodyOf(...lines))
    expect((await log.run('r'))?.attempt).toBe(7)
  })

  it("refuses to add to an agent's run, to a run of another thread, and in another format", async () => {
    const { log, runs } = await open()
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'own' })
    await until(isEnded(log, 'own'))
    await refusalOf(runs.ingest({ format, threadId: 't', runId: 'r' }, brokenBody(textLine('x'))))
    const codeOf = async (change: object) =>
      (await refusalOf(runs.ingest({ format, ...change }, bodyOf(...lines)))).code
    expect(await codeOf({ runId: 'own' })).toBe('not-ingested')
    expect(await codeOf({ runId: 'r', threadId: 'other' })).toBe('wrong-thread')
    expect(await codeOf({ runId: 'r', format: 'anthropic-messages' })).toBe('wrong-format')
  })
})

describe('a producer that comes back', () => {
  const begun = async () => {
    const parts = await open()
    const options = { format, runId: 'r', threadId: 't' }
    const broken = await refusalOf(
      parts.runs.ingest(options, brokenBody(lines[0] ?? '', lines[1] ?? '', '{"type":"te')),
    )
    return { ...parts, options, broken }
  }

  it('S3-9: finds the complete records, without the partial one, in a run that waits', async () => {
    const { log, broken } = await begun()
    expect(broken).toEqual({ code: 'broken-off', rawRecords: 2 })
    expect(await log.run('r')).toMatchObject({ state: 'waiting', rawRecords: 2 })
    expect((await eventsOf(log, 'r')).at(-1)).toMatchObject({ type: 'block-delta', text: 'One ' })
  })

  it('continues at its position; records that it repeats are not logged twice', async () => {
    for (const line of [0, 1, 2]) {
      const { log, runs, options } = await begun()
      const answer = await runs.ingest({ ...options, line }, bodyOf(...lines.slice(line)))
      expect(answer).toMatchObject({ rawRecords: 5, outcome: 'success' })
      expect(await log.messages('t')).toMatchObject([{ content: 'One two three.' }])
    }
  })

  it('gets the number of durable records if it has left some out', async () => {
    const { log, runs, options } = await begun()
    const refused = await refusalOf(runs.ingest({ ...options, line: 3 }, bodyOf(...lines.slice(3))))
    expect(refused).toEqual({ code: 'gap', rawRecords: 2 })
    expect((await log.run('r'))?.state).toBe('waiting')
  })

  it('gets the same response again for a run that has ended, and run-closed for new records', async () => {
    const { runs, options } = await begun()
    const answer = await runs.ingest({ ...options, line: 2 }, bodyOf(...lines.slice(2)))
    expect(await runs.ingest({ ...options, line: 2 }, bodyOf(...lines.slice(2)))).toEqual(answer)
    expect(await runs.ingest(options, bodyOf(...lines))).toEqual(answer)
    expect(await runs.ingest({ ...options, line: 5 }, bodyOf())).toEqual(answer)
    const more = await refusalOf(runs.ingest(options, bodyOf(...lines, textLine('more'))))
    expect(more).toEqual({ code: 'run-closed', rawRecords: 5 })
  })

  it('is refused with an attempt lower than the last', async () => {
    const { runs, options } = await begun()
    await refusalOf(runs.ingest({ ...options, attempt: 3, line: 2 }, brokenBody(textLine('two '))))
    const refused = await refusalOf(runs.ingest({ ...options, attempt: 2, line: 3 }, bodyOf(textLine('x'))))
    expect(refused.code).toBe('stale-attempt')
  })

  it('finds the run ended as interrupted, dated like its last entry, if it comes too late', async () => {
    const { log, runs, options, sleeper } = await begun()
    expect(sleeper.slept).toEqual([60_000])
    sleeper.wakeAll()
    await until(isEnded(log, 'r'))
    const entries = await entriesOf(log, 'r')
    const delta = entries.find(({ event }) => event.type === 'block-delta')
    expect(entries.at(-1)).toMatchObject({ event: { type: 'run-end', outcome: 'interrupted' }, at: delta?.at })
    const refused = await refusalOf(runs.ingest({ ...options, line: 2 }, bodyOf(...lines.slice(2))))
    expect(refused.code).toBe('run-closed')
  })

  it('is not cut off by the timeout, even if that fires at the same moment', async () => {
    for (const isLate of [false, true]) {
      const { log, runs, options, sleeper } = await begun()
      const pipe = createPipe()
      const fed = runs.ingest({ ...options, line: 2 }, pipe)
      if (isLate) sleeper.wakeAll()
      await until(async () => (await log.run('r'))?.state === 'live')
      sleeper.wakeAll()
      for (const line of lines.slice(2)) pipe.write(line)
      pipe.end()
      expect(await fed).toMatchObject({ outcome: 'success' })
    }
  })

  const changes: { readonly [change: string]: (inputs: readonly LoggedInput[]) => readonly LoggedInput[] } = {
    'give other events': (inputs) =>
      inputs.map((input) => (input.by === 'producer' ? { ...input, text: input.text.replace('One', 'Eins') } : input)),
    'give fewer events': (inputs) => inputs.slice(0, -1),
  }

  it.each(Object.entries(changes))('finds the run ended as interrupted if its records now %s', async (_, change) => {
    const { log, options } = await begun()
    const inputs: Log['inputs'] = async function* (runId) {
      for await (const batch of log.inputs(runId)) yield change(batch)
    }
    const { runs } = await open({ ...log, inputs })
    const refused = await refusalOf(runs.ingest({ ...options, line: 2 }, bodyOf(...lines.slice(2))))
    expect(refused).toEqual({ code: 'run-closed', rawRecords: 2 })
    const events = await eventsOf(log, 'r')
    expect(events.slice(-3)).toEqual([
      { type: 'block-end', blockId: 'b1', interrupted: true },
      { type: 'message-end', messageId: 'm1', interrupted: true },
      { type: 'run-end', outcome: 'interrupted' },
    ])
    expect(await log.messages('t')).toMatchObject([{ content: 'One ' }])
  })
})
