/** Tells whoever listens for something, by its name. */
export interface Bells {
  ring(name: string): void
  /** Until what it gives back is called. */
  listen(name: string, listener: () => void): () => void
}

export function createBells(): Bells {
  const listeners = new Map<string, Set<() => void>>()
  return {
    ring(name) {
      for (const listener of listeners.get(name) ?? []) listener()
    },
    listen(name, listener) {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name)
      }
    },
  }
}
