import { describe, expect, it } from 'vitest'
import type { Command, Log } from '../src/log/log.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { createRunBench, hasQuestion, ingestFrom, ingestSome, START } from './run-bench.ts'
import {
  agentOf,
  createPipe,
  createReports,
  eventsOf,
  isEnded,
  lineOf,
  obedientAgent,
  openLog,
  textLine,
  until,
} from './run-parts.ts'

const answer = (state: 'approved' | 'denied'): Command => ({ type: 'answer', approvalId: 'own', answer: { state } })
const takeOver = (attempt: number) => ({ command: { type: 'take-over', attempt } }) as const
const steer = (messageId: string) => ({ command: { type: 'steer', messageId, text: 'Left!', when: 'now' } }) as const

const resultsOf = async (log: Log) => (await log.commands('r', { after: 0 })).map(({ result }) => result)

describe('what is asked of a run', () => {
  it('is done in the order in which it was asked', async () => {
    const { log, runs } = await createRunBench()
    await ingestSome(runs, 3)
    for (const state of ['denied', 'approved'] as const) await log.tell('r', { command: answer(state) })
    expect(await stopRun(runs, 'r')).toBe(true)
    const refused = { state: 'refused', code: 'not-asked' }
    expect(await resultsOf(log)).toMatchObject([{ state: 'applied' }, refused, { state: 'applied' }])
    expect(await eventsOf(log, 'r')).toContainEqual(expect.objectContaining({ approvalId: 'own', state: 'denied' }))
  })

  it('is done once, also if its producer comes back later', async () => {
    const { log, runs } = await createRunBench()
    await ingestSome(runs, 3)
    await runs.follow('r')
    expect((await runs.tell('r', steer('msg-1'))).result?.state).toBe('applied')
    await ingestFrom(runs, 3, 1)
    expect((await eventsOf(log, 'r')).filter(({ type }) => type === 'control')).toHaveLength(1)
  })

  it('is done if it comes while the owner looks for something else', async () => {
    const stored = await openLog()
    const [looked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const commands: Log['commands'] = async (...values) => {
      const found = await stored.commands(...values)
      looked.resolve()
      await released.promise
      return found
    }
    const { report, reports } = createReports()
    const runs = createRuns({ log: { ...stored, commands }, agents: [obedientAgent], report })
    await runs.start(START)
    await looked.promise
    await stored.tell('r', { command: { type: 'stop' } })
    released.resolve()
    await until(isEnded(stored, 'r'))
    expect([(await stored.run('r'))?.outcome, reports]).toEqual(['cancelled', []])
  })

  it('is refused if it comes while the end is stored, and the run is packed as always', async () => {
    const { log, gate, runs, reports } = await createRunBench(0)
    const whole = await createRunBench(0)
    await whole.runs.start(START)
    await until(isEnded(whole.log, 'r'))
    const held = gate.hold(whole.gate.calls.lastIndexOf('append'), 'call')
    await runs.start(START)
    await held.reached
    const refused = runs.tell('r', { command: { type: 'take-back', messageId: 'msg-1' } })
    await until(async () => (await log.commands('r', { after: 0 })).length === 1)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    held.release()
    expect((await refused).result).toEqual({ state: 'refused', code: 'run-closed' })
    await until(() => gate.calls.includes('pack'))
    expect(reports).toEqual([])
  })

  it('is settled in one append with what it has caused', async () => {
    const stored = await openLog()
    const appends: Parameters<Log['append']>[2][] = []
    const append: Log['append'] = (runId, position, added) => {
      appends.push(added)
      return stored.append(runId, position, added)
    }
    const agent = agentOf(async function* (_request, host) {
      for (const message of ['May I?', 'And now?']) await host.ask({ message })
      yield* createPipe()
    })
    const runs = createRuns({ log: { ...stored, append }, agents: [agent], stopWithin: 0 })
    await runs.start(START)
    await until(async () => (await eventsOf(stored, 'r')).at(-1)?.type === 'approval')
    expect(await answerApproval(runs, 'r', 'approval-1', { state: 'approved' })).toBe('answered')
    await until(async () => (await eventsOf(stored, 'r')).at(-1)?.type === 'approval')
    expect(await stopRun(runs, 'r')).toBe(true)
    const settling = appends.filter(({ settle }) => settle !== undefined)
    expect(settling.map(({ events }) => events[0])).toMatchObject([{ state: 'approved' }, { action: 'stop' }])
    const logged = await eventsOf(stored, 'r')
    for (const result of await resultsOf(stored)) {
      const { type } = logged[result?.state === 'applied' ? result.seq - 1 : -1] ?? {}
      expect(['approval', 'control']).toContain(type)
    }
  })

  it('is refused if it would take over the run of an agent, or a producer’s under an equal attempt', async () => {
    const log = await openLog()
    const pipe = createPipe()
    const runs = createRuns({ log, agents: [obedientAgent], stopWithin: 0 })
    await runs.start({ ...START, runId: 'own' })
    expect((await runs.tell('own', takeOver(2))).result).toEqual({ state: 'refused', code: 'not-ingested' })
    const fed = runs.ingest({ format: 'agent-lines', runId: 'r' }, pipe)
    await until(async () => (await log.run('r')) !== undefined)
    expect((await runs.tell('r', takeOver(1))).result).toEqual({ state: 'refused', code: 'run-busy' })
    pipe.write(textLine('One.') + lineOf('done'))
    pipe.end()
    expect(await fed).toMatchObject({ rawRecords: 2, outcome: 'success' })
    await runs.close()
  })
})

describe('a run that waits for its producer', () => {
  it('waits anew after an answer that came just before the end of its wait', async () => {
    const { log, runs, sleeper } = await createRunBench()
    await ingestSome(runs, 3)
    const before = await log.run('r')
    await log.tell('r', { command: answer('approved') })
    sleeper.wakeAll()
    await until(async () => (await resultsOf(log))[0] !== undefined)
    await until(async () => (await log.run('r'))?.state === 'waiting')
    expect((await log.run('r'))?.waitUntil).toBeGreaterThan(before?.waitUntil ?? 0)
  })

  it('without a limit goes on so after a command that is refused', async () => {
    const { log, runs } = await createRunBench()
    await log.createRun({ id: 'r', threadId: 'thr', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    await log.release('r', 0)
    expect((await runs.tell('r', steer('msg-1'))).result).toEqual({ state: 'refused', code: 'nobody-listens' })
    await until(async () => (await log.run('r'))?.state === 'waiting')
    expect((await log.run('r'))?.waitUntil).toBeUndefined()
  })

  it('is followed until the last of its followers has left', async () => {
    const { log, runs } = await createRunBench()
    await ingestSome(runs, 1)
    const [first, second] = [await runs.follow('r'), await runs.follow('r')]
    first()
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(await log.isFollowed('r')).toBe(true)
    second()
    await until(async () => !(await log.isFollowed('r')))
  })
})

it('a node whose lease has ended gets a new one with its next run', async () => {
  const bench = await createRunBench()
  await bench.runs.start(START)
  await until(() => hasQuestion(bench))
  const owner = (await bench.log.run('r'))?.owner ?? ''
  await bench.log.leave(owner)
  const next = await bench.runs.start({ ...START, runId: 'r2' })
  expect(next).toMatchObject({ state: 'live', owner: expect.not.stringMatching(owner) })
})

it('a listener of a status that is added twice and removed once is called once', async () => {
  const { log, runs } = await createRunBench()
  await ingestSome(runs, 1)
  let count = 0
  const listener = () => {
    count++
  }
  const [remove] = [runs.onStatus('r', listener), runs.onStatus('r', listener)]
  remove()
  remove()
  await log.tell('r', { command: { type: 'stop' } })
  await until(() => count > 0)
  expect(count).toBe(1)
})
