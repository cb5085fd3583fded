import type { RunStatus } from '@millrace/core/api'
import type { StoredRun } from '../log/log.ts'

/** The statuses of this process's open runs, for their viewers. */
export interface RunStatuses {
  /** Returns undefined if the run has ended. A run that this process has not touched has the state in the log. */
  of(run: Pick<StoredRun, 'id' | 'state'>): RunStatus | undefined
  set(runId: string, status: RunStatus): void
  /** Called when the run has ended, or before another `set`. Listeners are not called: the end is an entry. */
  clear(runId: string): void
  /** Calls the listener with each status that is set for the run, until the returned function is called. */
  listen(runId: string, listener: (status: RunStatus) => void): () => void
}

export function createRunStatuses(report: ReportListener): RunStatuses {
  const statuses = new Map<string, RunStatus>()
  const listeners = createListeners(report)
  return {
    of: ({ id, state }) => statuses.get(id) ?? (state === 'ended' ? undefined : { state }),
    set(runId, status) {
      statuses.set(runId, status)
      listeners.notify(runId)
    },
    clear: (runId) => void statuses.delete(runId),
    listen: (runId, listener) =>
      listeners.listen(runId, () => {
        const status = statuses.get(runId)
        if (status !== undefined) listener(status)
      }),
  }
}

/** Listeners by key. */
export interface Listeners {
  notify(key: string): void
  /** Calls the listener on each `notify` of the key, until the returned function is called. */
  listen(key: string, listener: () => void): () => void
}

/** Called with the error of a listener: it must not keep a run from being fed, or others from being called. */
export type ReportListener = (error: unknown, key: string) => void

export function createListeners(report: ReportListener): Listeners {
  const listenersByKey = new Map<string, Set<() => void>>()

  function call(key: string, listener: () => void): void {
    try {
      listener()
    } catch (error) {
      report(error, key)
    }
  }

  return {
    notify(key) {
      const listenersOfKey = listenersByKey.get(key) ?? new Set()
      // A copy: a listener that is added meanwhile is called the next time.
      for (const listener of [...listenersOfKey]) if (listenersOfKey.has(listener)) call(key, listener)
    },
    listen(key, listener) {
      const listenersOfKey = listenersByKey.get(key) ?? new Set()
      listenersByKey.set(key, listenersOfKey.add(listener))
      return () => {
        listenersOfKey.delete(listener)
        if (listenersOfKey.size === 0 && listenersByKey.get(key) === listenersOfKey) listenersByKey.delete(key)
      }
    },
  }
}
