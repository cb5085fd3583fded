import type { Entry, StreamEvent } from '@millrace/core/events'
import type {
  Append,
  CommandResult,
  Log,
  LoggedInput,
  NewCommand,
  Position,
  RunState,
  StoredCommand,
  StoredRun,
} from '@millrace/server/log'
import { end, inputsOf, newRun, readAll } from './log-bench.ts'

/** A run in the simplest possible log: what any member must do, one operation after another. */
interface ModelRun {
  attempt: number
  epoch: number
  owner: string | undefined
  state: RunState
  waitUntil: number | undefined
  at: number
  entries: Entry[]
  inputs: LoggedInput[]
  commands: StoredCommand[]
  last: { readonly position: Position; readonly append: Append } | undefined
}

export interface Model {
  readonly runs: Map<string, ModelRun>
  /** The nodes with a lease. */
  nodes: [string, string]
}

/** The result of an operation: a value, or the code of a refusal. */
type Outcome = unknown

export interface Operation {
  readonly kind: keyof typeof operations
  readonly runId: string
  /** The prefix of the ids of this model's runs. */
  readonly prefix: string
  /** By how much the attempt or the position is wrong. */
  readonly shift: number
  /** By how much the epoch is wrong. */
  readonly epochShift: number
  /** The node that acquires or leaves. */
  readonly node: 0 | 1
  readonly isLast: boolean
  readonly events: readonly StreamEvent[]
  readonly inputs: readonly LoggedInput[]
  readonly makers: readonly LoggedInput['by'][]
  readonly time: number
}

const makerOf = (by: LoggedInput['by'] = 'producer') => (by === 'producer' ? {} : { by })

const rawOf = (inputs: readonly LoggedInput[]) => inputs.filter(({ by }) => by === 'producer').length

function appendTo(run: ModelRun | undefined, { epoch, afterSeq }: Position, append: Append, time: number): Outcome {
  if (run === undefined) return 'unknown-run'
  if (epoch !== run.epoch) return 'stale-owner'
  if (run.state === 'ended' || afterSeq !== run.entries.length) {
    const stored = run.entries.slice(afterSeq, afterSeq + append.events.length)
    const isThere =
      append.events.length > 0 && JSON.stringify(stored.map(({ event }) => event)) === JSON.stringify(append.events)
    if (isThere) return stored
    return run.state === 'ended' ? 'run-closed' : 'wrong-position'
  }
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
  run.last = { position: { epoch, afterSeq }, append }
  for (const { number, result } of append.settle ?? []) {
    run.commands = run.commands.map((each) => (each.number === number ? { result, ...each } : each))
  }
  if (append.events.at(-1)?.type === 'run-end') Object.assign(run, { ...released, state: 'ended' })
  return entries
}

const released = { owner: undefined, waitUntil: undefined }

/** The writer's position of an operation, which may be wrong. */
const positionIn = (run: ModelRun | undefined, { shift, epochShift }: Operation): Position => ({
  epoch: (run?.epoch ?? 0) + epochShift,
  afterSeq: Math.max((run?.entries.length ?? 0) + shift, 0),
})

function acquireIn({ nodes }: Model, run: ModelRun | undefined, nodeId: string, attempt: number): Outcome {
  if (run === undefined) return 'unknown-run'
  if (run.state === 'ended') return factsOf(run)
  if (attempt < run.attempt) return 'stale-attempt'
  if (run.owner !== undefined && nodes.includes(run.owner)) return 'run-owned'
  Object.assign(run, { ...released, owner: nodeId, epoch: run.epoch + 1, attempt, state: 'live' })
  return factsOf(run)
}

function releaseIn(run: ModelRun | undefined, epoch: number, waitUntil: number | undefined): Outcome {
  if (run === undefined) return 'unknown-run'
  if (epoch !== run.epoch) return 'stale-owner'
  if (run.state !== 'ended') Object.assign(run, { owner: undefined, state: 'waiting', waitUntil })
  return undefined
}

const factsOf = (run: StoredRun | ModelRun) => [run.attempt, run.epoch, run.owner, run.state, run.waitUntil]

function appendBoth(log: Log, model: Model, operation: Operation, position: Position, append: Append) {
  const run = model.runs.get(operation.runId)
  const expected = appendTo(run, position, append, operation.time)
  const appended = log.append(operation.runId, position, append)
  return [appended.then((lines) => lines.entries()), expected] as const
}

/** Each applies the same operation to a log and to the model, and returns both results. */
export const operations = {
  create(log: Log, model: Model, { runId, time, node }: Operation) {
    const isNew = !model.runs.has(runId)
    const owner = time % 2 === 0 ? model.nodes[node] : undefined
    if (isNew) {
      const lists = { entries: [], inputs: [], commands: [], last: undefined }
      const epoch = owner === undefined ? 0 : 1
      model.runs.set(runId, { ...released, owner, attempt: 1, epoch, state: 'live', at: time, ...lists })
    }
    const run = newRun(runId, { threadId: runId, ...(owner !== undefined && { owner }) })
    return [log.createRun(run).then((created) => created.isNew), isNew] as const
  },
  append(log: Log, model: Model, operation: Operation) {
    const run = model.runs.get(operation.runId)
    const events = operation.events.filter(({ type }) => type !== 'run-end')
    const { inputs, makers, isLast } = operation
    const append = { inputs, events: isLast ? [...events, end] : events, by: makers.slice(0, events.length) }
    return appendBoth(log, model, operation, positionIn(run, operation), append)
  },
  repeat(log: Log, model: Model, operation: Operation) {
    const last = model.runs.get(operation.runId)?.last
    if (last === undefined || last.append.events.length === 0) return [Promise.resolve(), undefined] as const
    return appendBoth(log, model, operation, last.position, last.append)
  },
  settle(log: Log, model: Model, operation: Operation) {
    const { inputs, time } = operation
    const result = time % 2 === 0 ? { state: 'applied', seq: time } : { state: 'refused', code: `${time}` }
    const append = { inputs, events: [], settle: [{ number: time % 4, result: result as CommandResult }] }
    return appendBoth(log, model, operation, positionIn(model.runs.get(operation.runId), operation), append)
  },
  acquire(log: Log, model: Model, { runId, node, shift }: Operation) {
    const run = model.runs.get(runId)
    const attempt = (run?.attempt ?? 1) + shift
    const expected = acquireIn(model, run, model.nodes[node], attempt)
    return [log.acquire(runId, model.nodes[node], attempt).then(factsOf), expected] as const
  },
  release(log: Log, model: Model, { runId, epochShift, time }: Operation) {
    const run = model.runs.get(runId)
    const epoch = (run?.epoch ?? 0) + epochShift
    const waitFor = time % 3 === 0 ? undefined : time % 400
    const expected = releaseIn(run, epoch, waitFor === undefined ? undefined : time + waitFor)
    return [log.release(runId, epoch, waitFor), expected] as const
  },
  'leave and join'(log: Log, model: Model, { node }: Operation) {
    const join = async () => {
      await log.leave(model.nodes[node])
      model.nodes[node] = await log.join()
    }
    return [join(), undefined] as const
  },
  expired: (log: Log, { runs, nodes }: Model, { prefix, time }: Operation) => {
    const isExpired = ({ state, owner, waitUntil = Number.POSITIVE_INFINITY }: ModelRun) =>
      owner === undefined ? state === 'live' || (state === 'waiting' && waitUntil <= time) : !nodes.includes(owner)
    return [
      log.expired().then((expired) => expired.flatMap(({ id }) => (id.startsWith(prefix) ? [id] : []))),
      [...runs].flatMap(([id, run]) => (isExpired(run) ? [id] : [])),
    ] as const
  },
  tell(log: Log, model: Model, { runId, time }: Operation) {
    const run = model.runs.get(runId)
    const asked: NewCommand = {
      command: { type: 'take-back', messageId: `${time}` },
      ...(time % 3 > 0 && { key: `${time % 5}` }),
    }
    const earlier = run?.commands.find(({ key }) => key !== undefined && key === asked.key)
    const stored = earlier ?? { ...asked, number: (run?.commands.length ?? 0) + 1, at: time }
    if (earlier === undefined) run?.commands.push(stored)
    return [log.tell(runId, asked), run === undefined ? 'unknown-run' : stored] as const
  },
  commands(log: Log, model: Model, { runId, time, isLast }: Operation) {
    const run = model.runs.get(runId)
    const closed = run?.state === 'ended' ? { result: { state: 'refused', code: 'run-closed' } } : {}
    const expected = run?.commands
      .map((command) => ({ ...closed, ...command }))
      .filter(({ number, result }) => number > time % 3 && !(isLast && result !== undefined))
    return [log.commands(runId, { after: time % 3, isOpen: isLast }), expected ?? 'unknown-run'] as const
  },
  pack(log: Log, model: Model, { runId }: Operation) {
    const run = model.runs.get(runId)
    const expected = run === undefined ? 'unknown-run' : run.state === 'ended' ? undefined : 'run-live'
    return [log.pack(runId), expected] as const
  },
  delete(log: Log, model: Model, { runId }: Operation) {
    const run = model.runs.get(runId)
    const expected = run === undefined ? false : run.state === 'ended' ? true : 'run-live'
    if (expected === true) model.runs.delete(runId)
    return [log.deleteThread(runId), expected] as const
  },
  read(log: Log, model: Model, { runId, time }: Operation) {
    const after = time % 9
    return [readAll(log, runId, after), model.runs.get(runId)?.entries.slice(after) ?? 'unknown-run'] as const
  },
  inputs: (log: Log, model: Model, { runId }: Operation) =>
    [inputsOf(log, runId), model.runs.get(runId)?.inputs.slice() ?? 'unknown-run'] as const,
  info(log: Log, model: Model, { runId }: Operation) {
    const run = model.runs.get(runId)
    const expected = run && [factsOf(run), run.entries.length, rawOf(run.inputs)]
    const runFacts = log.run(runId).then((info) => info && [factsOf(info), info.seq, info.rawRecords])
    return [runFacts, expected] as const
  },
  open: (log: Log, model: Model, { prefix }: Operation) =>
    [
      log.openRuns().then((open) => open.flatMap(({ id }) => (id.startsWith(prefix) ? [id] : [])).toSorted()),
      [...model.runs].flatMap(([id, { state }]) => (state === 'ended' ? [] : [id])).toSorted(),
    ] as const,
}
