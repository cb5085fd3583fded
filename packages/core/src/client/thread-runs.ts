import type { RunInfo, ThreadDetail } from '../api/api-types.ts'
import { lineageOf } from '../api/lineage.ts'
import { isSameStatus, type RunStatus } from '../api/run-status.ts'
import { totalsOf } from '../fold/fold.ts'
import { createJoin } from '../fold/join-runs.ts'
import type { ChatEvent } from '../fold/shapes.ts'
import { leavesOf } from '../fold/subagent-walk.ts'
import { withExpected } from './optimistic.ts'
import { isSame } from './publisher.ts'
import type { RunStore } from './run-store.ts'

/** A run of the thread in this client. */
export interface ThreadRun {
  readonly info: RunInfo
  /** Present while the run is streamed, and afterwards. */
  readonly store?: RunStore
  /** What is shown before the first entries; present for runs that were started here. */
  readonly expected?: readonly ChatEvent[]
  /** The last status from the stream that `info` includes. */
  readonly streamStatus?: RunStatus
  /** Whether the run was started here and the server has not confirmed it yet. */
  readonly isSending?: boolean
}

/** The runs of one thread: stored, streamed and just sent. */
export interface ThreadRuns {
  /** The runs that are shown, oldest first. */
  shown(): readonly ThreadRun[]
  all(): readonly ThreadRun[]
  put(run: ThreadRun): void
  remove(runId: string): void
  /** Takes the server's runs with their chat events; runs that the server does not have yet stay at the end. */
  load(detail: ThreadDetail): void
  /** Takes what the thread's stream says about runs. It has no chat events: those come from the run's own stream. */
  note(infos: readonly RunInfo[]): void
  /** The shown runs that began and ended elsewhere: their chat events are not here. */
  missing(): readonly string[]
  clear(): void
  /** Takes the ends and statuses from the streams since the last call. Returns whether anything changed. */
  settle(): boolean
  chatEvents(): readonly ChatEvent[]
  /** Those of the shown runs before a run, and then the given ones, which are the run's as it was at a moment. */
  chatEventsUpTo(runId: string, chatEvents: readonly ChatEvent[]): readonly ChatEvent[]
  runOfApproval(approvalId: string): string | undefined
}

export function createThreadRuns(): ThreadRuns {
  const join = createJoin()
  /** A join keeps what it made last: the past has its own. */
  const joinPast = createJoin()
  let runs = new Map<string, ThreadRun>()
  let stored: ReadonlyMap<string, readonly ChatEvent[]> = new Map()
  /** The last entry that the stored chat events show. */
  const storedSeqs = new Map<string, number>()

  const shown = () => {
    const lineage = lineageOf([...runs.values()].map(({ info }) => info))
    return lineage.flatMap(({ id }) => runs.get(id) ?? [])
  }

  /** The stored chat events are shown until the stream has caught up: a viewer never sees less than before. */
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
      stored = new Map([...stored, ...byRun(detail.chatEvents)])
      for (const info of detail.runs) {
        storedSeqs.set(info.id, info.seq)
        runs.set(info.id, loaded({ ...runs.get(info.id), info }))
      }
      runs = arranged(runs)
    },
    note(infos) {
      for (const info of infos) runs.set(info.id, noted(runs.get(info.id), info))
      runs = arranged(runs)
    },
    missing: () =>
      shown()
        .filter(({ info, store }) => info.state === 'ended' && store === undefined)
        .filter(({ info }) => (storedSeqs.get(info.id) ?? 0) < info.seq)
        .map(({ info }) => info.id),
    clear() {
      runs = new Map()
      stored = new Map()
      storedSeqs.clear()
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
    chatEventsUpTo(runId, chatEvents) {
      const before = shown()
      const index = before.findIndex(({ info }) => info.id === runId)
      return joinPast([...before.slice(0, Math.max(0, index)).flatMap(chatEventsOf), ...chatEvents])
    },
    runOfApproval: (approvalId) =>
      shown().findLast((run) => loggedOf(run).some((chatEvent) => hasApproval(chatEvent, approvalId)))?.info.id,
  }
}

/** Written out because browsers that are still in use have no `Map.groupBy`. */
function byRun(chatEvents: readonly ChatEvent[]): ReadonlyMap<string, readonly ChatEvent[]> {
  const groups = new Map<string, ChatEvent[]>()
  for (const chatEvent of chatEvents) {
    const group = groups.get(chatEvent.runId)
    if (group === undefined) groups.set(chatEvent.runId, [chatEvent])
    else group.push(chatEvent)
  }
  return groups
}

/** The run with the news of its stream: its end, its totals and its status. */
function withStreamStatus(run: ThreadRun): ThreadRun {
  const { info, store } = run
  if (store === undefined || info.state === 'ended') return run
  const { connection, runState } = store.snapshot()
  if (connection === 'ended') return { ...run, info: endedInfo(info, store) }
  const current = withTotals(info, store)
  if (runState === undefined || runState === run.streamStatus) return current === info ? run : { ...run, info: current }
  return { ...run, info: withStatus(current, runState), streamStatus: runState }
}

/** A stream that has not caught up with the stored entries has older totals than the server. */
function withTotals(info: RunInfo, store: RunStore): RunInfo {
  const { run, seq } = store.snapshot()
  if (seq < info.seq) return info
  const totals = totalsOf(run)
  const isCurrent =
    isSame(info.usage ?? {}, totals.usage ?? {}) && info.raw === totals.raw && info.startedAt === totals.startedAt
  return isCurrent ? info : { ...info, ...totals }
}

/** The run as the server returned it. The status of a connected stream is newer: the response may have been delayed. */
function loaded(run: ThreadRun): ThreadRun {
  const { info, store } = run
  const { connection, runState } = store?.snapshot() ?? {}
  const isNewer = connection === 'live' && runState !== undefined && info.state !== 'ended'
  return isNewer ? { ...run, info: withStatus(info, runState) } : run
}

/** The run with what the thread's stream says. The end of a run that is streamed here is its last entry. */
function noted(run: ThreadRun | undefined, info: RunInfo): ThreadRun {
  if (run === undefined) return { info }
  const { info: before, store } = run
  if (run.isSending || before.state === 'ended') return withCreation(run, info)
  const isStreamed = store !== undefined && store.snapshot().connection !== 'failed'
  if (isStreamed && info.state === 'ended') return withCreation(run, info)
  const { waitUntil: _before, ...withoutWait } = before
  const after = loaded({ ...run, info: { ...withoutWait, ...info } })
  return isStreamed ? { ...after, info: { ...after.info, seq: before.seq } } : after
}

/** The order of the runs is that of the server. */
function withCreation(run: ThreadRun, { createdAt }: RunInfo): ThreadRun {
  if (createdAt === undefined || run.info.createdAt === createdAt) return run
  return { ...run, info: { ...run.info, createdAt } }
}

/** Oldest first. Runs that the server has not confirmed come last. */
function arranged(runs: ReadonlyMap<string, ThreadRun>): Map<string, ThreadRun> {
  const rank = ({ info, isSending }: ThreadRun) => (isSending ? undefined : info.createdAt) ?? Number.MAX_VALUE
  return new Map([...runs].sort(([, one], [, other]) => rank(one) - rank(other)))
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
