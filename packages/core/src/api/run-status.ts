/** The status of a run that has not ended. `waiting`: its producer is disconnected and may come back. */
export interface RunStatus {
  readonly state: 'live' | 'waiting'
  /** When the server stops waiting for the producer, in ms since the epoch; absent if no time is set. */
  readonly waitUntil?: number
}

/** The name of the server-sent event on the native wire that carries a run's status. It is not an entry: no id. */
export const RUN_STATE_EVENT = 'run-state'

/** The status that a value from outside represents; undefined if the value is not a status. */
export function runStatusOf(value: unknown): RunStatus | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { state, waitUntil } = value as { readonly [field: string]: unknown }
  if (state !== 'live' && state !== 'waiting') return undefined
  return typeof waitUntil === 'number' ? { state, waitUntil } : { state }
}

/** Whether two statuses, or the absence of one, are the same. */
export function isSameStatus(one: RunStatus | undefined, other: RunStatus | undefined): boolean {
  return one?.state === other?.state && one?.waitUntil === other?.waitUntil
}
