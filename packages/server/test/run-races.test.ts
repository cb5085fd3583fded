import { some } from '@millrace/testkit/property'
import { upTo } from '@millrace/testkit/seeded'
import { describe, expect, it } from 'vitest'
import { LogError } from '../src/log/errors.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import {
  createRunBench,
  expectLawful,
  hasQuestion,
  ingestFrom,
  ingestSome,
  type RunBench,
  START,
  settled,
} from './run-bench.ts'
import { until } from './run-parts.ts'

const APPROVED = { state: 'approved' } as const

/** An operation on the run. Its result counts only if it is an answer that was taken. */
type Operation = (bench: RunBench) => Promise<unknown>

interface Scenario {
  readonly before: Operation
  /** The operation whose calls of the log are held, or fail, one at a time. */
  readonly act: Operation
}

const withQuestion: Operation = async (bench) => {
  await bench.runs.start(START)
  await until(() => hasQuestion(bench))
}

const withLostProducer: Operation = ({ runs }) => ingestSome(runs, 3)

const none: Operation = async () => undefined

/** A process has died: another one finds its runs. */
const withDeadProcess: Operation = async (bench) => {
  await bench.another().start(START)
  await until(() => hasQuestion(bench))
  await bench.log.leave((await bench.log.run('r'))?.owner ?? '')
}

const scenarios: { readonly [name: string]: Scenario } = {
  'the start of an agent': { before: none, act: ({ runs }) => runs.start(START) },
  'a whole body': { before: none, act: ({ runs }) => ingestFrom(runs, 0, 1) },
  'a body that breaks off': { before: none, act: withLostProducer },
  'a body that resumes': { before: withLostProducer, act: ({ runs }) => ingestFrom(runs, 3, 1) },
  'an answer to an agent': {
    before: withQuestion,
    act: ({ runs }) => answerApproval(runs, 'r', 'approval-1', APPROVED),
  },
  'an answer to a lost producer': {
    before: withLostProducer,
    act: ({ runs }) => answerApproval(runs, 'r', 'own', APPROVED),
  },
  'the stop of an agent': { before: withQuestion, act: ({ runs }) => stopRun(runs, 'r', 'me') },
  'the stop of a lost producer': { before: withLostProducer, act: ({ runs }) => stopRun(runs, 'r', 'me') },
  'a producer that does not come back': { before: withLostProducer, act: async ({ sleeper }) => sleeper.wakeAll() },
  'the next process': { before: withDeadProcess, act: ({ runs }) => runs.recover() },
}

/** What comes from the other side meanwhile. */
const others: { readonly [name: string]: Operation } = {
  nothing: none,
  'a stop': ({ runs }) => stopRun(runs, 'r', 'other'),
  'two stops': ({ runs }) => Promise.allSettled([stopRun(runs, 'r'), stopRun(runs, 'r')]),
  'the same answer': ({ runs }) => answerApproval(runs, 'r', 'approval-1', APPROVED),
  'the producer’s answer': ({ runs }) => answerApproval(runs, 'r', 'own', APPROVED),
  'the same producer': ({ runs }) => ingestFrom(runs, 3, 1),
  'a higher attempt': ({ runs }) => ingestFrom(runs, 0, 2),
  'the same start': ({ runs }) => runs.start(START),
  'another run of the thread': ({ runs }) => runs.start({ ...START, runId: 'r2' }),
  'the end of all waits': async ({ sleeper }) => sleeper.wakeAll(),
}

/** How many calls are slow or fail, one at a time, for what comes meanwhile: others each time. `npm run laws` tries all. */
const TROUBLES = 16

const ways = ['hold call', 'hold answer', 'fail', 'refuse'] as const

interface Case {
  readonly scenario: Scenario
  readonly nth: number
  readonly way: (typeof ways)[number]
  readonly other: Operation
}

/** How many calls of the log the scenario makes by itself. */
async function countCalls({ before, act }: Scenario) {
  const bench = await createRunBench()
  await before(bench)
  const first = bench.gate.calls.length
  await settled(bench, act(bench))
  return { first, count: Math.min(bench.gate.calls.length - first, 16) }
}

async function play({ scenario, nth, way, other }: Case): Promise<void> {
  const bench = await createRunBench()
  const { gate, log, runs, sleeper, reports } = bench
  await scenario.before(bench)
  const isHeld = way === 'hold call' || way === 'hold answer'
  const held = isHeld ? gate.hold(nth, way === 'hold call' ? 'call' : 'answer') : undefined
  if (way === 'fail') gate.fail(nth, new LogError('log-full', 'no room'))
  if (way === 'refuse') gate.fail(nth, new LogError('wrong-position', 'planned'))
  const first = settled(bench, scenario.act(bench))
  if (held !== undefined) await Promise.race([held.reached, first])
  const second = settled(bench, other(bench))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  held?.release()
  const answers = [await first, await second].filter((result) => result === 'answered')
  // Whoever uses the lock next is served.
  await settled(bench, stopRun(runs, 'r'))
  if ((await log.run('r2')) !== undefined) await settled(bench, stopRun(runs, 'r2'))
  await until(async () => {
    sleeper.wakeAll()
    return (await log.openRuns()).length === 0
  })
  await settled(bench, runs.close())
  await expectLawful(bench, 'r', answers.length)
  await expectLawful(bench, 'r2', 0)
  expect(bench.received.filter(({ state }) => state === 'approved').length).toBeLessThanOrEqual(answers.length)
  if (isHeld) expect(reports).toEqual([])
  expect(sleeper.sleeping()).toBe(0)
}

describe.each(Object.entries(scenarios))('while the log is asked for %s', (what, scenario) => {
  it.each(Object.entries(others))(
    'any call may be slow or fail, and %s may come: the run stays lawful',
    async (which, other) => {
      const { first, count } = await countCalls(scenario)
      const troubles = upTo(count - 1).flatMap((call) => ways.map((way) => ({ call, way })))
      for (const { call, way } of some(troubles, TROUBLES, `${what}, ${which}`)) {
        await play({ scenario, nth: first + call, way, other }).catch((error: Error) => {
          error.message = `call ${call}, ${way}: ${error.message}`
          throw error
        })
      }
    },
  )
})
