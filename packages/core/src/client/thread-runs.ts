import { createJoin } from '../fold/join-runs.ts'
import type { ChatEvent, Segment } from '../fold/shapes.ts'
import type { RunInfo, ThreadDetail } from './api-types.ts'
import { lineageOf } from './lineage.ts'
import { withExpected } from './optimistic.ts'
import type { RunStore } from './run-store.ts'

/** A run of the thread, as far as this client knows it. */
export interface ThreadRun {
  readonly info: RunInfo
  /** There while the run is streamed, and afterwards. */
  readonly store?: RunStore
  /** What was shown before the log said anything; there for runs that were started here. */
  readonly expected?: readonly ChatEvent[]
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
  /** Notes the end of runs whose streams have ended. True if there were any. */
  settle(): boolean
  chatEvents(): readonly ChatEvent[]
  runOfApproval(approvalId: string): string | undefined
}

export function createThreadRuns(): ThreadRuns {
  const join = createJoin()
  let runs = new Map<string, ThreadRun>()
  let stored: ReadonlyMap<string, readonly ChatEvent[]> = new Map()

  const shown = () => {
    const way = lineageOf([...runs.values()].map(({ info }) => info))
    return way.flatMap(({ id }) => runs.get(id) ?? [])
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
      const known = new Map(detail.runs.map((info): [string, ThreadRun] => [info.id, { ...runs.get(info.id), info }]))
      for (const [id, run] of runs) if (!known.has(id)) known.set(id, run)
      runs = known
    },
    settle() {
      const ended = [...runs.values()].filter(
        ({ info, store }) => info.state !== 'ended' && store?.snapshot().connection === 'ended',
      )
      for (const { info, store, ...rest } of ended)
        if (store) runs.set(info.id, { ...rest, store, info: endedInfo(info, store) })
      return ended.length > 0
    },
    chatEvents: () => join(shown().flatMap(chatEventsOf)),
    runOfApproval: (approvalId) =>
      shown().findLast((run) => loggedOf(run).some(({ segments }) => asks(segments, approvalId)))?.info.id,
  }
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

function endedInfo(info: RunInfo, store: RunStore): RunInfo {
  const { run, seq } = store.snapshot()
  return { ...info, state: 'ended', seq, ...(run.outcome !== undefined && { outcome: run.outcome }) }
}

function asks(segments: readonly Segment[], approvalId: string): boolean {
  return segments.some((segment) => {
    if (segment.type === 'subagent') return asks(segment.segments, approvalId)
    if (segment.type === 'approval') return segment.approvalId === approvalId
    return segment.type === 'tool' && segment.approval?.approvalId === approvalId
  })
}
