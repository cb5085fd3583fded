import { present } from '@millrace/core/json'
import type { Position, PositionFields } from './position-store.ts'
import type { ThreadRoute } from './thread-route.ts'

/** The position that an address names. Its entries are those of `lastRun` unless it names a run. */
export function fieldsOfRoute(route: ThreadRoute, lastRun: string): PositionFields {
  const { seq, entry, at, view, pane, file, runId = lastRun } = route
  return present({
    selection: seq === undefined ? undefined : present({ runId, seqs: [seq, seq] as const, entry }),
    at: at === undefined ? undefined : { runId, seq: at },
    view,
    pane,
    file,
  })
}

/** The address of a position. It has one run: a selection in another run than the moment's is left out. */
export function routeOfPosition(threadId: string, position: Position, lastRun: string | undefined): ThreadRoute {
  const { selection, at, view, pane, file } = position
  const runId = at?.runId ?? selection?.runId
  const named = selection?.runId === runId ? selection : undefined
  return present({
    name: 'thread' as const,
    threadId,
    runId: runId === lastRun ? undefined : runId,
    seq: named?.seqs[0],
    entry: named?.entry,
    at: at?.seq,
    view: view === 'chat' ? undefined : view,
    pane,
    file,
  })
}
