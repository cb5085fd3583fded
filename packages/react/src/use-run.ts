import { useSyncExternalStore } from 'react'

/** Anything that holds a snapshot and says when there is another: a run store, a thread store. */
export interface Store<Snapshot> {
  /** The same object until something changes. */
  snapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/** What a run store holds now, and again whenever that changes. */
export function useRun<Snapshot>(run: Store<Snapshot>): Snapshot {
  return useSyncExternalStore(run.subscribe, run.snapshot, run.snapshot)
}

/** What a thread store holds now, and again whenever that changes. */
export function useThread<Snapshot>(thread: Store<Snapshot>): Snapshot {
  return useSyncExternalStore(thread.subscribe, thread.snapshot, thread.snapshot)
}
