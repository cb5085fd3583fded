import type { RunStatus } from '@millrace/core/api'
import type { Log, StoredRun } from '../log/log.ts'

/** The status of a run as its viewers see it; undefined if it has ended. A run that is queued is about to begin. */
export function statusOf({ state, waitUntil }: Pick<StoredRun, 'state' | 'waitUntil'>): RunStatus | undefined {
  if (state === 'ended') return undefined
  if (state !== 'waiting') return { state: 'live' }
  return waitUntil === undefined ? { state } : { state, waitUntil }
}

type Listener = (status: RunStatus) => void

interface WatchedRun {
  readonly listeners: Set<Listener>
  readonly unwatch: () => void
}

/**
 * Calls the listener with the status of a run when it may have changed, until the returned function is called. The log is
 * read once for all listeners of a run.
 */
export function createStatusWatch(
  log: Log,
  report: (error: unknown, runId: string) => void,
): (runId: string, listener: Listener) => () => void {
  const watched = new Map<string, WatchedRun>()

  /** One listener's fault must not keep others from being called. */
  function call(runId: string, listener: Listener, status: RunStatus): void {
    try {
      listener(status)
    } catch (error) {
      report(error, runId)
    }
  }

  async function look(runId: string, listeners: ReadonlySet<Listener>): Promise<void> {
    const run = await log.run(runId)
    const status = run && statusOf(run)
    if (status === undefined) return
    for (const listener of [...listeners]) if (listeners.has(listener)) call(runId, listener, status)
  }

  function watch(runId: string): WatchedRun {
    const listeners = new Set<Listener>()
    const unwatch = log.watch({ runId }, () => {
      look(runId, listeners).catch((error: unknown) => report(error, runId))
    })
    const run = { listeners, unwatch }
    watched.set(runId, run)
    return run
  }

  return (runId, listener) => {
    const run = watched.get(runId) ?? watch(runId)
    // A wrapper, so that a listener that is added twice is also removed twice.
    const own: Listener = (status) => listener(status)
    run.listeners.add(own)
    return () => {
      run.listeners.delete(own)
      if (run.listeners.size > 0 || watched.get(runId) !== run) return
      watched.delete(runId)
      run.unwatch()
    }
  }
}
