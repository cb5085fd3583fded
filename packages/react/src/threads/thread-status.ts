import type { RunInfo } from '@millrace/core/client'

/**
 * The state of a thread: that of its last run. `left-open` and `cancelled` are ends of a recording, or of another program's stream:
 * nobody waits there any more, and it was not this page's user who stopped it.
 */
export type ThreadStatus =
  | 'needs-you'
  | 'handed-over'
  | 'left-open'
  | 'live'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'stopped'
  | 'cancelled'
  | 'empty'

type RunState = Pick<RunInfo, 'state' | 'outcome' | 'agent'>

const statusByOutcome: { readonly [Outcome in NonNullable<RunInfo['outcome']>]: ThreadStatus } = {
  success: 'done',
  error: 'failed',
  interrupted: 'interrupted',
  cancelled: 'stopped',
  'awaiting-input': 'handed-over',
}

const statusWithoutAgent: { readonly [Outcome in NonNullable<RunInfo['outcome']>]?: ThreadStatus } = {
  cancelled: 'cancelled',
  'awaiting-input': 'left-open',
}

/** `isAsking`: something in it waits for the user's answer. A run that has ended accepts no answer from this page. */
export function threadStatusOf(lastRun: RunState | undefined, isAsking: boolean): ThreadStatus {
  if (lastRun === undefined) return 'empty'
  if (lastRun.state !== 'ended' && isAsking) return 'needs-you'
  if (lastRun.state !== 'ended') return lastRun.state
  const { outcome, agent } = lastRun
  if (outcome === undefined) return 'done'
  return (agent === undefined ? statusWithoutAgent[outcome] : undefined) ?? statusByOutcome[outcome]
}

export const isRunning = (state: ThreadStatus): boolean => state === 'live' || state === 'waiting'
