/** What the user opened or closed: the only state of the renderer. It always takes precedence over the data. */
export interface Toggles {
  get(key: string): boolean | undefined
  set(key: string, isOpen: boolean): void
  subscribe(listener: () => void): () => void
}

/** If the host keeps it, it outlives the views: a turn that is scrolled away and back is as it was left. */
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
