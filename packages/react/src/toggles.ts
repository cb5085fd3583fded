/** What a person opened or closed by hand: the only state of the renderer, and it wins for ever. */
export interface Toggles {
  get(key: string): boolean | undefined
  set(key: string, isOpen: boolean): void
  subscribe(listener: () => void): () => void
}

/** Kept by the host, it outlives the views: a turn that scrolls out and in again is as it was left. */
export function createToggles(): Toggles {
  const states = new Map<string, boolean>()
  const listeners = new Set<() => void>()
  return {
    get: (key) => states.get(key),
    set(key, isOpen) {
      states.set(key, isOpen)
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
