import type { RunInfo, ThreadDetail } from '../api/api-types.ts'
import { isSameStatus, type RunStatus } from '../api/run-status.ts'
import { totalsOf } from '../fold/fold.ts'
import { createJoin } from '../fold/join-runs.ts'
import type { ChatEvent } from '../fold/shapes.ts'
import { leavesOf } from '../fold/subagent-walk.ts'
import { withExpected } from './optimistic.ts'
import { isSame } from './publisher.ts'
import type { RunStore } from './run-store.ts'

/** A run of the thread, as far as this client knows it. */
export interface ThreadRun {
  readonly info: RunInfo
  /** There while the run is streamed, and afterwards. */
  readonly store?: RunStore
  /** What was shown before the log said anything; there for runs that were started here. */
  readonly expected?: readonly ChatEvent[]
  /** The status that `info` shows, as far as the stream told it. */
  readonly streamStatus?: RunStatus
  /** Started here, and the server has not said yet that it knows of it. */
  readonly isSending?: boolean
}

/** The runs of one thread: stored ones, streamed ones and those just sent. */
export interface ThreadRuns {
  /** The runs that are shown, oldest first. */
  shown(): readonly ThreadRun[]
  all(): readonly ThreadRun[]
  put(run: ThreadRun): void
  remove(runId: string): void
  /** Takes over what the server knows; runs that it does not know yet stay behind it. */
  load(detail: ThreadDetail): void
  /** Takes over what the streams have told since the last call: ends, and how runs stand. True if anything changed. */
  settle(): boolean
  chatEvents(): readonly ChatEvent[]
  runOfApproval(approvalId: string): string | undefined
}

export function createThreadRuns(): ThreadRuns {
  const join = createJoin()
  let runs = new Map<string, ThreadRun>()
  let stored: ReadonlyMap<string, readonly ChatEvent[]> = new Map()

  const shown = () => {
    const lineage = lineageOf([...runs.values()].map(({ info }) => info))
    return lineage.flatMap(({ id }) => runs.get(id) ?? [])
  }

  /** What is stored is shown until the stream has caught up with it: a reader never sees less than before. */
  function loggedOf({ info, store }: ThreadRun): readonly ChatEvent[] {
    const before = stored.get(info.id) ?? []
    const view = store?.snapshot()
    return view !== undefined && (view.seq >= info.seq || before.length === 0) ? view.run.chatEvents : before
  }

  function chatEventsOf(run: ThreadRun): readonly ChatEvent[] {
    return withExpected(loggedOf(run), run.expected ?? [], run.info.state === 'ended')
  }

  return {
    shown,
    all: () => [...runs.values()],
    put(run) {
      runs.set(run.info.id, run)
    },
    remove(runId) {
      runs.delete(runId)
    },
    load(detail) {
      stored = byRun(detail.chatEvents)
      const loadedRuns = new Map(
        detail.runs.map((info): [string, ThreadRun] => [info.id, loaded({ ...runs.get(info.id), info })]),
      )
      for (const [id, run] of runs) if (!loadedRuns.has(id)) loadedRuns.set(id, run)
      runs = loadedRuns
    },
    settle() {
      let hasChanged = false
      for (const run of runs.values()) {
        const updated = withStreamStatus(run)
        if (updated === run) continue
        runs.set(run.info.id, updated)
        hasChanged ||= updated.info !== run.info
      }
      return hasChanged
    },
    chatEvents: () => join(shown().flatMap(chatEventsOf)),
    runOfApproval: (approvalId) =>
      shown().findLast((run) => loggedOf(run).some((chatEvent) => hasApproval(chatEvent, approvalId)))?.info.id,
  }
}

type Link = Pick<RunInfo, 'id' | 'afterRunId' | 'parentRunId' | 'agent'>

/**
 * A thread is a tree of runs; what is shown is the way to its newest run, oldest first. A producer's
 * run that does not say what it continues follows the one before it; one of an agent's is a first question. A subagent's own runs are not part of the way.
 */
export function lineageOf<Run extends Link>(runs: readonly Run[]): readonly Run[] {
  const main = runs.filter(({ parentRunId }) => parentRunId === undefined)
  const indexOf = new Map(main.map(({ id }, index) => [id, index]))
  const path: Run[] = []
  for (let index = main.length - 1; index >= 0; ) {
    const run = main[index] as Run
    path.push(run)
    if (run.afterRunId === undefined && run.agent !== undefined) break
    const before = run.afterRunId === undefined ? undefined : indexOf.get(run.afterRunId)
    // Only ever backwards, so that a wrong link ends the way instead of turning round.
    index = before !== undefined && before < index ? before : index - 1
  }
  return path.reverse()
}

/** By hand, since browsers that are still in use have no `Map.groupBy`. */
function byRun(chatEvents: readonly ChatEvent[]): ReadonlyMap<string, readonly ChatEvent[]> {
  const groups = new Map<string, ChatEvent[]>()
  for (const chatEvent of chatEvents) {
    const group = groups.get(chatEvent.runId)
    if (group === undefined) groups.set(chatEvent.runId, [chatEvent])
    else group.push(chatEvent)
  }
  return groups
}

/** The run with what its stream has told since the last look. */
function withStreamStatus(run: ThreadRun): ThreadRun {
  const { info, store } = run
  if (store === undefined || info.state === 'ended') return run
  const { connection, runState } = store.snapshot()
  if (connection === 'ended') return { ...run, info: endedInfo(info, store) }
  const current = withTotals(info, store)
  if (runState === undefined || runState === run.streamStatus) return current === info ? run : { ...run, info: current }
  return { ...run, info: withStatus(current, runState), streamStatus: runState }
}

/** A stream that has not caught up with what is stored knows less than the server has told. */
function withTotals(info: RunInfo, store: RunStore): RunInfo {
  const { run, seq } = store.snapshot()
  if (seq < info.seq) return info
  const totals = totalsOf(run)
  const isCurrent =
    isSame(info.usage ?? {}, totals.usage ?? {}) && info.raw === totals.raw && info.startedAt === totals.startedAt
  return isCurrent ? info : { ...info, ...totals }
}

/** The run as the server has it now. A stream that is connected is newer: the answer may have been long on its way. */
function loaded(run: ThreadRun): ThreadRun {
  const { info, store } = run
  const { connection, runState } = store?.snapshot() ?? {}
  const isNewer = connection === 'live' && runState !== undefined && info.state !== 'ended'
  return isNewer ? { ...run, info: withStatus(info, runState) } : run
}

function withStatus(info: RunInfo, status: RunStatus): RunInfo {
  const { waitUntil: _before, ...withoutWait } = info
  return isSameStatus(statusOf(info), status) ? info : { ...withoutWait, ...status }
}

const statusOf = ({ state, waitUntil }: RunInfo): RunStatus | undefined =>
  state === 'ended' ? undefined : { state, ...(waitUntil !== undefined && { waitUntil }) }

function endedInfo(info: RunInfo, store: RunStore): RunInfo {
  const { run, seq } = store.snapshot()
  const { waitUntil: _waited, ...withoutWait } = info
  return {
    ...withoutWait,
    ...totalsOf(run),
    state: 'ended',
    seq,
    ...(run.outcome !== undefined && { outcome: run.outcome }),
  }
}

function hasApproval({ segments }: ChatEvent, approvalId: string): boolean {
  return leavesOf(segments).some((segment) => {
    if (segment.type === 'approval') return segment.approvalId === approvalId
    return segment.type === 'tool' && segment.approval?.approvalId === approvalId
  })
}
