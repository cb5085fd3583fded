import type { Log, Subject } from './log.ts'

/** Tells the watchers of a log that something has changed, the same for every member. */
export interface Bell {
  /** Calls the listeners of these subjects, and those of all threads if one of them is a thread. */
  ring(...subjects: readonly Subject[]): void
  watch: Log['watch']
}

export function createBell(): Bell {
  const listenersByKey = new Map<string, Set<() => void>>()

  function call(key: string): void {
    const listeners = listenersByKey.get(key) ?? new Set()
    // A copy: a listener that is added meanwhile is called the next time, one that is removed meanwhile never again.
    for (const listener of [...listeners]) {
      try {
        if (listeners.has(listener)) listener()
      } catch (error) {
        // One listener's fault must keep neither the writer nor the other listeners from going on.
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  return {
    ring(...subjects) {
      const keys = new Set(subjects.map(keyOf))
      if (subjects.some((subject) => typeof subject === 'object' && 'threadId' in subject)) keys.add(ALL)
      for (const key of keys) call(key)
    },
    watch(subject, listener) {
      const key = keyOf(subject)
      // A wrapper, so that a listener that is added twice is also removed twice.
      const own = () => listener()
      const listeners = listenersByKey.get(key) ?? new Set()
      listenersByKey.set(key, listeners.add(own))
      return () => {
        listeners.delete(own)
        if (listeners.size === 0 && listenersByKey.get(key) === listeners) listenersByKey.delete(key)
      }
    },
  }
}

const ALL = 'threads'

function keyOf(subject: Subject): string {
  if (typeof subject === 'string') return subject
  return 'runId' in subject ? `run ${subject.runId}` : `thread ${subject.threadId}`
}
