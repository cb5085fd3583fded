import { LogError } from './errors.ts'
import type { Append, StoredRun } from './log.ts'

/** The rules of ownership, the same for every member: the rules decide, members only store. */

type Owned = Pick<StoredRun, 'id' | 'state' | 'owner' | 'epoch' | 'attempt' | 'waitUntil'>

/** Whether a node has a lease. */
export type HasLease = (nodeId: string) => boolean

export function checkLease(nodeId: string, hasLease: HasLease): void {
  if (!hasLease(nodeId)) throw new LogError('unknown-node', nodeId)
}

/** Whether the node becomes the run's owner; false if the run has ended. Throws if the run belongs to another. */
export function mayAcquire(run: Owned, nodeId: string, attempt: number | undefined, hasLease: HasLease): boolean {
  checkLease(nodeId, hasLease)
  if (run.state === 'ended') return false
  checkAttempt(run, attempt ?? run.attempt)
  if (run.owner !== undefined && hasLease(run.owner)) throw new LogError('run-owned', run.id)
  return true
}

/** A producer may come back with the attempt that it had, never with a lower one. */
function checkAttempt(run: Pick<Owned, 'attempt'>, attempt: number): void {
  if (attempt < run.attempt) throw new LogError('stale-attempt', `attempt ${run.attempt} fences attempt ${attempt}`)
}

/** Epochs are compared for equality: a higher one than the run's was never given out. */
export function checkEpoch(run: Pick<Owned, 'epoch'>, epoch: number): void {
  if (epoch !== run.epoch) throw new LogError('stale-owner', `its epoch is ${run.epoch}, not ${epoch}`)
}

/** Whether an open run needs a node to acquire it. A run of the first releases has neither an owner nor a wait. */
export function hasExpired({ state, owner, waitUntil }: Owned, hasLease: HasLease, now: number): boolean {
  if (state === 'ended') return false
  if (owner !== undefined) return !hasLease(owner)
  return state !== 'waiting' || (waitUntil !== undefined && waitUntil <= now)
}

/** Whether viewers of the thread see a difference after this append, beyond the entries of the run. */
export const changesThread = ({ events, followUp }: Pick<Append, 'events' | 'followUp'>): boolean =>
  followUp !== undefined || events.some(({ type }) => type === 'approval' || type === 'run-end')
