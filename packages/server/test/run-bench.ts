import { createLogGate, type LogGate } from '@millrace/testkit/log-gate'
import { expect } from 'vitest'
import type { Log } from '../src/log/log.ts'
import type { ApprovalAnswer } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs } from '../src/run/runs.ts'
import { createChecks } from '../src/verify/checks.ts'
import {
  agentOf,
  bodyOf,
  brokenBody,
  bytesOf,
  createReports,
  createSleeper,
  entriesOf,
  eventsOf,
  lineOf,
  openLog,
  type Sleeper,
  textLine,
  timeOfLogs,
  until,
} from './run-parts.ts'

/** Runs on a log whose calls the test holds, with an agent that asks `questions` questions one after the other. */
export interface RunBench {
  readonly runs: Runs
  readonly gate: LogGate
  /** The log behind the gate. */
  readonly log: Log
  readonly sleeper: Sleeper
  readonly reports: readonly unknown[]
  /** The answers that the agents have got. */
  readonly received: ApprovalAnswer[]
  /** The runs of another process on the same log. Its reports are not collected. */
  another(): Runs
}

export async function createRunBench(questions = 2): Promise<RunBench> {
  const log = await openLog()
  const gate = createLogGate(log)
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  const received: ApprovalAnswer[] = []
  const agent = agentOf(async function* (_request, host) {
    yield bytesOf(textLine('Before.'))
    for (let nth = 1; nth <= questions; nth++) {
      received.push(await host.ask({ message: `May I, ${nth}?` }))
      yield bytesOf(textLine(`After ${nth}.`))
    }
    yield bytesOf(lineOf('done'))
  })
  const options = { log: gate.log, agents: [agent], sleep: sleeper.sleep, now: timeOfLogs }
  const another = () => createRuns({ ...options, report: () => undefined })
  return { runs: createRuns({ ...options, report }), gate, log, sleeper, reports, received, another }
}

export const START = { threadId: 'thr', agent: 'tester', input: { text: 'Go' }, runId: 'r' }

const chunks = [
  { type: 'start', messageId: 'm1' },
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
  { type: 'tool-approval-request', approvalId: 'own', toolCallId: 'c' },
  { type: 'tool-output-available', toolCallId: 'c', output: 'dug' },
  { type: 'finish' },
]
/** The records of a producer that asks, and then goes on. */
const RECORDS = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`)
const PRODUCER = { format: 'ai-sdk', threadId: 'thr', runId: 'r' }

/** A producer that sends all records from one on. */
export const ingestFrom = (runs: Runs, line: number, attempt: number) =>
  runs.ingest({ ...PRODUCER, attempt, line }, bodyOf(...RECORDS.slice(line)))

/** A producer whose connection fails after some records. */
export const ingestSome = (runs: Runs, count: number) =>
  runs.ingest(PRODUCER, brokenBody(...RECORDS.slice(0, count))).catch(() => undefined)

export async function hasQuestion({ log }: RunBench, count = 1): Promise<boolean> {
  if ((await log.run('r')) === undefined) return false
  return (await eventsOf(log, 'r')).filter(({ type }) => type === 'approval').length >= count
}

/** Lets events pass, and all sleeps end, until the promise settles. */
export async function settled<Value>({ sleeper }: RunBench, promise: Promise<Value>): Promise<Value | Error> {
  let result: { readonly value: Value | Error } | undefined
  promise.then(
    (value) => {
      result = { value }
    },
    (error: Error) => {
      result = { value: error }
    },
  )
  await until(() => {
    if (result === undefined) sleeper.wakeAll()
    return result !== undefined
  })
  return (result as unknown as { value: Value }).value
}

/** What is true of a run after any operations, whatever their order and whether or not the log has failed. */
export async function expectLawful(bench: RunBench, runId: string, answered: number): Promise<void> {
  const { log, runs } = bench
  const run = await log.run(runId)
  if (run === undefined) return expect(answered).toBe(0)
  const entries = await entriesOf(log, runId)
  const checks = createChecks(run)
  for await (const inputs of log.inputs(runId)) checks.push({ of: 'inputs', inputs })
  checks.push({ of: 'logged', entries })
  checks.endLog()
  // Nothing was delivered here.
  expect(checks.end()).toMatchObject({ reread: 'same', problems: [expect.stringContaining('delivered')] })
  expect(run).toMatchObject({ state: 'ended', seq: entries.length })
  expect(entries.at(-1)?.event.type).toBe('run-end')
  const approved = entries.filter(({ event }) => event.type === 'approval' && event.state === 'approved')
  expect(approved, 'answers in the log').toHaveLength(answered)
  // Only a run that ended because it asks still asks.
  if (run.outcome !== 'awaiting-input') expect(await runs.isAsking(run)).toBe(false)
  expect(await log.messages('thr')).toHaveLength((await log.runs('thr')).filter(isEndedRun).length)
}

const isEndedRun = ({ state }: { readonly state: string }) => state === 'ended'
