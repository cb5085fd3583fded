import type { Entry, StreamEvent } from '@millrace/core/events'
import type { Append, Log, LoggedInput, Position, RunState } from '@millrace/server/log'
import fc from 'fast-check'
import { anyEvent } from './any-event.ts'
import { expect } from './expectation.ts'
import { end, inputsOf, type LogBench, newRun, readAll } from './log-bench.ts'
import { holdsAsync } from './property.ts'
import { it } from './runner.ts'

const RUNS = 100

/** A run in the simplest possible log: what any member must do, one operation after another. */
interface ModelRun {
  attempt: number
  state: RunState
  at: number
  entries: Entry[]
  inputs: LoggedInput[]
  last: { readonly position: Position; readonly append: Append } | undefined
}
type Model = Map<string, ModelRun>

/** The result of an operation: a value, or the code of a refusal. */
type Outcome = unknown

interface Operation {
  readonly kind: keyof typeof operations
  readonly runId: string
  /** The prefix of the ids of this model's runs. */
  readonly prefix: string
  /** By how much the attempt and the position are wrong. */
  readonly shift: number
  readonly isLast: boolean
  readonly events: readonly StreamEvent[]
  readonly inputs: readonly LoggedInput[]
  readonly makers: readonly LoggedInput['by'][]
  readonly time: number
}

const makerOf = (by: LoggedInput['by'] = 'producer') => (by === 'producer' ? {} : { by })

const rawOf = (inputs: readonly LoggedInput[]) => inputs.filter(({ by }) => by === 'producer').length

function appendTo(run: ModelRun | undefined, { attempt, afterSeq }: Position, append: Append, time: number): Outcome {
  if (run === undefined) return 'unknown-run'
  if (attempt < run.attempt) return 'stale-attempt'
  if (run.state === 'ended' || afterSeq !== run.entries.length) {
    const stored = run.entries.slice(afterSeq, afterSeq + append.events.length)
    const isThere =
      append.events.length > 0 && JSON.stringify(stored.map(({ event }) => event)) === JSON.stringify(append.events)
    if (isThere) return stored
    return run.state === 'ended' ? 'run-closed' : 'wrong-position'
  }
  run.attempt = attempt
  if (append.events.length > 0) run.at = Math.max(run.at, time)
  run.inputs.push(...append.inputs)
  const entries = append.events.map((event, index) => ({
    seq: afterSeq + index + 1,
    at: run.at,
    event,
    rawThrough: rawOf(run.inputs),
    ...makerOf(append.by?.[index]),
  }))
  run.entries.push(...entries)
  run.last = { position: { attempt, afterSeq }, append }
  if (append.events.at(-1)?.type === 'run-end') run.state = 'ended'
  return entries
}

function appendBoth(log: Log, model: Model, operation: Operation, position: Position, append: Append) {
  const run = model.get(operation.runId)
  const expected = appendTo(run, position, append, operation.time)
  return [log.append(operation.runId, position, append), expected] as const
}

/** Each applies the same operation to a log and to the model, and returns both results. */
const operations = {
  create(log: Log, model: Model, { runId, time }: Operation) {
    const isNew = !model.has(runId)
    if (isNew) model.set(runId, { attempt: 1, state: 'live', at: time, entries: [], inputs: [], last: undefined })
    return [log.createRun(newRun(runId, { threadId: runId })).then((created) => created.isNew), isNew] as const
  },
  append(log: Log, model: Model, operation: Operation) {
    const run = model.get(operation.runId)
    const events = operation.events.filter(({ type }) => type !== 'run-end')
    const { inputs, makers, isLast } = operation
    const append = { inputs, events: isLast ? [...events, end] : events, by: makers.slice(0, events.length) }
    const position = { attempt: run?.attempt ?? 1, afterSeq: Math.max((run?.entries.length ?? 0) + operation.shift, 0) }
    return appendBoth(log, model, operation, position, append)
  },
  repeat(log: Log, model: Model, operation: Operation) {
    const last = model.get(operation.runId)?.last
    if (last === undefined || last.append.events.length === 0) return [Promise.resolve(), undefined] as const
    return appendBoth(log, model, operation, last.position, last.append)
  },
  claim(log: Log, model: Model, { runId, shift }: Operation) {
    const run = model.get(runId)
    const attempt = (run?.attempt ?? 1) + shift
    if (run !== undefined && shift >= 0) run.attempt = attempt
    const expected = run === undefined ? 'unknown-run' : shift < 0 ? 'stale-attempt' : attempt
    return [log.claim(runId, attempt).then((claimed) => claimed.attempt), expected] as const
  },
  wait(log: Log, model: Model, { runId }: Operation) {
    const run = model.get(runId)
    const expected = run === undefined ? 'unknown-run' : run.state === 'ended' ? 'run-closed' : undefined
    if (run !== undefined && run.state !== 'ended') run.state = 'waiting'
    return [log.setState(runId, 'waiting'), expected] as const
  },
  pack(log: Log, model: Model, { runId }: Operation) {
    const run = model.get(runId)
    const expected = run === undefined ? 'unknown-run' : run.state === 'ended' ? undefined : 'run-live'
    return [log.pack(runId), expected] as const
  },
  delete(log: Log, model: Model, { runId }: Operation) {
    const run = model.get(runId)
    const expected = run === undefined ? false : run.state === 'ended' ? true : 'run-live'
    if (expected === true) model.delete(runId)
    return [log.deleteThread(runId), expected] as const
  },
  read(log: Log, model: Model, { runId, time }: Operation) {
    const after = time % 9
    return [readAll(log, runId, after), model.get(runId)?.entries.slice(after) ?? 'unknown-run'] as const
  },
  inputs: (log: Log, model: Model, { runId }: Operation) =>
    [inputsOf(log, runId), model.get(runId)?.inputs.slice() ?? 'unknown-run'] as const,
  info(log: Log, model: Model, { runId }: Operation) {
    const run = model.get(runId)
    const expected = run && [run.attempt, run.state, run.entries.length, rawOf(run.inputs)]
    const runFacts = log.run(runId).then((info) => info && [info.attempt, info.state, info.seq, info.rawRecords])
    return [runFacts, expected] as const
  },
  open: (log: Log, model: Model, { prefix }: Operation) =>
    [
      log.openRuns().then((open) => open.flatMap(({ id }) => (id.startsWith(prefix) ? [id] : [])).toSorted()),
      [...model].flatMap(([id, { state }]) => (state === 'ended' ? [] : [id])).toSorted(),
    ] as const,
}

const input: fc.Arbitrary<LoggedInput> = fc.oneof(
  fc.record({
    by: fc.constant('producer' as const),
    text: fc.string({ unit: 'binary' }),
    name: fc.constant(undefined),
  }),
  fc.record({ by: fc.constantFrom('server' as const, 'client' as const), event: anyEvent }, { noNullPrototype: true }),
)

const operation: fc.Arbitrary<Omit<Operation, 'prefix'>> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('append' as const) },
    { weight: 2, arbitrary: fc.constant('create' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])) },
  ),
  runId: fc.constantFrom('a', 'b'),
  shift: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  isLast: fc.nat(7).map((n) => n === 0),
  events: fc.array(anyEvent, { maxLength: 4 }),
  inputs: fc.array(input, { maxLength: 3 }),
  makers: fc.array(fc.constantFrom('producer' as const, 'server' as const, 'client' as const), { maxLength: 4 }),
  time: fc.nat(1000),
})

/** Compares the member with the model for any operations in any order. */
export function modelPromise(bench: LogBench): void {
  const restartsAt =
    bench.member.volatile === undefined ? fc.constantFrom(5, 12, 99, 99, 99, 99, 99, 99) : fc.constant(99)
  it('does what the model does for any operations', async () => {
    let time = 0
    let log = await bench.open(() => time)
    let models = 0
    const property = fc.asyncProperty(fc.array(operation, { maxLength: 40 }), restartsAt, async (steps, restartAt) => {
      const model: Model = new Map()
      // One log for all models: each has its own runs in it.
      const prefix = `${++models}/`
      for (const [index, step] of steps.entries()) {
        if (index === restartAt) log = await bench.reopen(log, () => time)
        time = step.time
        const [result, expected] = operations[step.kind](log, model, { ...step, prefix, runId: prefix + step.runId })
        const actual = await result.catch((error: { readonly code?: string }) => error.code ?? error)
        expect(actual, `step ${index}: ${step.kind}`).toEqual(expected)
      }
    })
    await holdsAsync(property, RUNS)
  }, 120_000)
}
