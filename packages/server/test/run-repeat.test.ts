import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer } from '../src/run/agent.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRunBench, expectLawful, hasQuestion, ingestFrom, ingestSome, START } from './run-bench.ts'
import {
  agentOf,
  bodyOf,
  bytesOf,
  createAgentRuns,
  eventsOf,
  isEnded,
  lineOf,
  recoverAfterCrash,
  textLine,
  until,
} from './run-parts.ts'

const counts = [1, 2, 3]

function fail(): never {
  throw new TypeError('thrown')
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** An agent that asks all its questions at once, and writes each answer down when it comes. */
const askingAtOnce = (count: number) =>
  agentOf(async function* (_request, host) {
    yield bytesOf(textLine('Before.'))
    const answers: string[] = []
    const ask = async (nth: number) => {
      const answer = await host.ask({ message: `May I, ${nth}?` })
      answers.push(`${nth} ${answer.state}${'message' in answer ? ` ${answer.message}` : ''}`)
    }
    await Promise.all(upTo(count).map(ask))
    yield bytesOf(textLine(answers.join(', ')))
    yield bytesOf(lineOf('done'))
  })

const orders = [[1], [1, 2], [2, 1], [1, 2, 3], [3, 1, 2], [2, 3, 1], [3, 2, 1]]

describe('questions of an agent', () => {
  it.each(counts)('%i one after the other get an answer each', async (count) => {
    const bench = await createRunBench(count)
    await bench.runs.start(START)
    for (const nth of upTo(count)) {
      await until(() => hasQuestion(bench, 2 * nth - 1))
      expect(await bench.runs.isAsking((await bench.log.run('r')) ?? expect.fail())).toBe(true)
      const answer: ApprovalAnswer = { state: 'approved', message: `the ${nth}th` }
      expect(await answerApproval(bench.runs, 'r', `approval-${nth}`, answer)).toBe('answered')
      expect(await answerApproval(bench.runs, 'r', `approval-${nth}`, answer)).toBe('not-asked')
    }
    await until(isEnded(bench.log, 'r'))
    expect(bench.received).toEqual(upTo(count).map((nth) => ({ state: 'approved', message: `the ${nth}th` })))
    expect((await bench.log.run('r'))?.outcome).toBe('success')
    await expectLawful(bench, 'r', count)
  })

  it.each(orders)('that are open at once get their own answers, in the order %j %j %j', async (...order) => {
    const asked = order.filter((nth) => nth !== undefined)
    const { log, runs, reports } = await createAgentRuns(askingAtOnce(asked.length))
    await runs.start(START)
    await until(
      async () => (await eventsOf(log, 'r')).filter(({ type }) => type === 'approval').length === asked.length,
    )
    for (const nth of asked) {
      const state = nth % 2 === 0 ? 'denied' : 'approved'
      const answers = await Promise.all(
        [1, 2].map(() => answerApproval(runs, 'r', `approval-${nth}`, { state, message: `m${nth}` })),
      )
      expect(answers).toEqual(['answered', 'not-asked'])
    }
    await until(isEnded(log, 'r'))
    const texts = (await eventsOf(log, 'r')).flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
    expect(texts.join(' ')).toContain(
      asked.map((nth) => `${nth} ${nth % 2 === 0 ? 'denied' : 'approved'} m${nth}`).join(', '),
    )
    expect(reports).toEqual([])
  })

  it('gets “expired” if the server closes while the question is being stored', async () => {
    const first = await createRunBench()
    await first.runs.start(START)
    await until(() => hasQuestion(first))
    const bench = await createRunBench()
    const held = bench.gate.hold(first.gate.calls.lastIndexOf('append'), 'call')
    await bench.runs.start(START)
    await held.reached
    const closed = bench.runs.close()
    held.release()
    await until(() => bench.received.length > 0)
    expect(bench.received[0]).toEqual({ state: 'expired' })
    await closed
  })

  it.each(counts)('%i that are open expire with a stop, each once', async (count) => {
    const { log, runs } = await createAgentRuns(askingAtOnce(count))
    await runs.start(START)
    await until(async () => (await eventsOf(log, 'r')).filter(({ type }) => type === 'approval').length === count)
    const stops = await Promise.all(upTo(3).map(() => stopRun(runs, 'r')))
    await until(isEnded(log, 'r'))
    const events = await eventsOf(log, 'r')
    const expired = events.flatMap((event) =>
      event.type === 'approval' && event.state === 'expired' ? [event.approvalId] : [],
    )
    expect(expired).toEqual(upTo(count).map((nth) => `approval-${nth}`))
    expect(events.filter(({ type }) => type === 'control')).toHaveLength(1)
    expect(stops).toContain(true)
    expect(await stopRun(runs, 'r')).toBe(false)
  })

  it('does not get the id of a question that the agent’s own stream has asked', async () => {
    const chunks = [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
      { type: 'tool-approval-request', approvalId: 'approval-2', toolCallId: 'c' },
    ]
    const agent = agentOf(async function* (_request, host) {
      for (const chunk of chunks) yield bytesOf(`${JSON.stringify(chunk)}\n`)
      await Promise.all([host.ask({ message: 'One?' }), host.ask({ message: 'Two?' })])
    })
    const { log, runs } = await createAgentRuns({ ...agent, format: 'ai-sdk' })
    await runs.start(START)
    await until(async () => (await eventsOf(log, 'r')).filter(({ type }) => type === 'approval').length === 3)
    const ids = (await eventsOf(log, 'r')).flatMap((event) => (event.type === 'approval' ? [event.approvalId] : []))
    expect(new Set(ids).size).toBe(3)
    await stopRun(runs, 'r')
  })
})

describe('a run', () => {
  it('whose stream cannot be continued ends once, and is packed like any other', async () => {
    const { log, gate, runs } = await createRunBench()
    await log.createRun({ id: 'r', threadId: 'thr', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    const inputs = [{ by: 'producer', text: textLine('One').trim(), name: undefined }] as const
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs, events: [{ type: 'run-start', model: 'other' }] })
    const producer = { format: 'agent-lines', runId: 'r' }
    for (const _ of counts) {
      expect(await runs.ingest(producer, bodyOf(textLine('One')))).toMatchObject({ outcome: 'interrupted' })
    }
    expect(gate.calls.filter((method) => method === 'pack')).toHaveLength(1)
    expect((await eventsOf(log, 'r')).filter(({ type }) => type === 'run-end')).toHaveLength(1)
  })

  it.each(counts)('is the same after %i broken connections of its producer', async (count) => {
    const bench = await createRunBench()
    await ingestSome(bench.runs, 1)
    for (const nth of upTo(count)) {
      await ingestSome(bench.runs, 1 + nth)
      expect((await bench.log.run('r'))?.rawRecords).toBe(1 + nth)
      expect((await bench.log.run('r'))?.state).toBe('waiting')
    }
    expect(await ingestFrom(bench.runs, 0, 1)).toMatchObject({ rawRecords: 5 })
    expect(await ingestFrom(bench.runs, 0, 1)).toMatchObject({ rawRecords: 5 })
    await expectLawful(bench, 'r', 0)
    expect(bench.reports).toEqual([])
  })

  it.each(counts)('continues the one before it, for %i runs of a thread', async (count) => {
    const histories: number[] = []
    const { log, runs } = await createAgentRuns(
      agentOf(async function* ({ history }) {
        histories.push(history.length)
        yield* bodyOf(textLine('Yes.'), lineOf('done'))
      }),
    )
    for (const nth of upTo(count)) {
      await runs.start({ ...START, runId: `r${nth}`, input: { text: `Question ${nth}` } })
      await until(isEnded(log, `r${nth}`))
    }
    expect((await log.runs('thr')).map(({ afterRunId }) => afterRunId)).toEqual(
      upTo(count).map((nth) => (nth === 1 ? undefined : `r${nth - 1}`)),
    )
    expect(histories).toEqual(upTo(count).map((nth) => 2 * (nth - 1)))
    expect(await log.messages('thr')).toHaveLength(count)
    expect((await log.thread('thr'))?.title).toBe('Question 1')
  })

  it.each(counts)('that was left open is ended by the next process, %i times', async (count) => {
    const bench = await createRunBench()
    for (const nth of upTo(count)) {
      const runId = nth === 1 ? 'r' : `r-${nth}`
      await bench.another().start({ ...START, runId })
      await until(async () => (await eventsOf(bench.log, runId)).some(({ type }) => type === 'approval'))
      await recoverAfterCrash(bench.another())
      expect(await bench.log.run(runId)).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    }
    await recoverAfterCrash(bench.runs)
    expect(await bench.log.openRuns()).toEqual([])
    expect(bench.reports).toEqual([])
  })

  it.each(['at once', 'after a text', 'in its cleanup', 'when it is stopped'])(
    'ends if its agent throws %s, and so does the next',
    async (when) => {
      const agent = agentOf(({ signal }) => {
        if (when === 'at once') fail()
        return (async function* () {
          try {
            yield bytesOf(textLine('Hello.'))
            if (when === 'after a text') fail()
            if (when === 'when it is stopped')
              await new Promise((_, reject) => signal.addEventListener('abort', reject))
          } finally {
            if (when === 'in its cleanup') fail()
          }
        })()
      })
      const { log, runs, reports, sleeper } = await createAgentRuns(agent)
      for (const runId of ['r1', 'r2', 'r3']) {
        await runs.start({ ...START, runId })
        if (when === 'when it is stopped') expect(await stopRun(runs, runId)).toBe(true)
        await until(isEnded(log, runId))
        const isStopped = when === 'when it is stopped'
        expect((await eventsOf(log, runId)).at(-1)).toEqual(
          isStopped
            ? { type: 'run-end', outcome: 'cancelled' }
            : { type: 'run-end', outcome: 'error', error: { message: 'thrown', name: 'TypeError' } },
        )
      }
      await runs.close()
      expect([reports, sleeper.sleeping()]).toEqual([[], 0])
    },
  )
})
