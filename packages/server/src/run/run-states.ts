import type { RunStatus } from '@millrace/core/api/run-status'
import type { StoredRun } from '../log/log.ts'
import { createBells } from './bells.ts'

/** How the open runs of this process stand, for their viewers. */
export interface RunStates {
  /** Undefined if the run has ended. A run that this process has not touched stands as the log has it. */
  of(run: Pick<StoredRun, 'id' | 'state'>): RunStatus | undefined
  set(runId: string, status: RunStatus): void
  /** The run has ended, or another `set` follows. Listeners are not called: an end is an entry. */
  clear(runId: string): void
  /** Calls the listener with each status that is set for the run, until the returned function is called. */
  listen(runId: string, listener: (status: RunStatus) => void): () => void
}

export function createRunStates(): RunStates {
  const states = new Map<string, RunStatus>()
  const changes = createBells()
  return {
    of: ({ id, state }) => states.get(id) ?? (state === 'ended' ? undefined : { state }),
    set(runId, status) {
      states.set(runId, status)
      changes.ring(runId)
    },
    clear: (runId) => void states.delete(runId),
    listen: (runId, listener) =>
      changes.listen(runId, () => {
        const status = states.get(runId)
        if (status !== undefined) listener(status)
      }),
  }
}
