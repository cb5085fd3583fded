import { useSyncExternalStore } from 'react'

/** Anything that holds a snapshot and says when there is another. */
interface Store<Snapshot> {
  snapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

export function useStore<Snapshot>({ subscribe, snapshot }: Store<Snapshot>): Snapshot {
  return useSyncExternalStore(subscribe, snapshot)
}
