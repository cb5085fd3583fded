/** Who listens to what in this process, the same for every member. */
export interface Listeners {
  /** Returns a function that removes the listener. */
  add(name: string, listener: (message: string) => void): () => void
  call(name: string, message: string): void
  /** Calls every listener with an empty message. */
  callAll(): void
  names(): readonly string[]
  clear(): void
}

export interface Interest {
  /** The name has its first listener. */
  began(name: string): void
  /** The name has lost its last listener. */
  ended(name: string): void
}

export function createListeners({ began, ended }: Interest): Listeners {
  const listenersByName = new Map<string, Set<(message: string) => void>>()

  function call(name: string, message: string): void {
    const listeners = listenersByName.get(name) ?? new Set()
    // A copy: a listener that is added meanwhile is called the next time, one that is removed meanwhile never again.
    for (const listener of [...listeners]) {
      try {
        if (listeners.has(listener)) listener(message)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  return {
    call,
    callAll() {
      for (const name of [...listenersByName.keys()]) call(name, '')
    },
    add(name, listener) {
      // A wrapper, so that a listener that is added twice is also removed twice.
      const own = (message: string) => listener(message)
      const listeners = listenersByName.get(name) ?? new Set()
      const isFirst = listeners.size === 0
      listenersByName.set(name, listeners.add(own))
      if (isFirst) began(name)
      return () => {
        if (!listeners.delete(own) || listeners.size > 0) return
        listenersByName.delete(name)
        ended(name)
      }
    },
    names: () => [...listenersByName.keys()],
    clear() {
      for (const listeners of listenersByName.values()) listeners.clear()
      listenersByName.clear()
    },
  }
}
