import { useSyncExternalStore } from 'react'

/** Anything that holds a snapshot and reports when it changes: a run store, a thread store. */
export interface Store<Snapshot> {
  /** The same object until something changes. */
  snapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/** The current snapshot of a store; the component is drawn again when it changes. */
export function useStore<Snapshot>({ subscribe, snapshot }: Store<Snapshot>): Snapshot {
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}
